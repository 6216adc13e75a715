import type { Resolver } from 'node:dns/promises'
import http from 'node:http'
import https from 'node:https'
import webPush from 'web-push'
import type { PushSubscription } from '#contract/notifications.ts'
import { type Config, hasDevPages, isLoopback } from '../config.ts'
import { createResolver, isAllowedEndpoint, lookupPublic } from '../publicHost.ts'
import type { VapidKeys } from './vapidKeys.ts'

/** A slower push service counts as failed. */
const timeoutMs = 10_000

/** Settings common to all notifications of this server. */
export interface PushSender {
  keys: VapidKeys
  /** Contact of the operator for push services: a `mailto:` or `https:` address. */
  contact: string
  /** Allows a push service on this machine: for development and tests. */
  allowLoopback: boolean
  /** Resolves the names of push services. */
  resolver: Resolver
}

/** The sender by the settings. Some push services refuse a contact without a public URL. */
export function pushSender(config: Config, keys: VapidKeys): PushSender {
  const { securityContact, publicUrl, mailFrom } = config
  const address = /<([^<>]+)>/.exec(mailFrom)?.[1] ?? mailFrom
  const ownUrl = publicUrl?.startsWith('https:') ? publicUrl : undefined
  return {
    keys,
    contact: securityContact ?? ownUrl ?? `mailto:${address}`,
    allowLoopback: hasDevPages(config),
    resolver: createResolver(),
  }
}

export interface PushMessage {
  /** Encrypted for the browser (RFC 8291). */
  payload: string
  /** The push service discards it after this time. */
  ttlS: number
  /** Replaces an undelivered notification of the same topic: at most 32 characters, base64url. */
  topic: string
}

/**
 * Sends one notification, and resolves with the HTTP status of the push service. Rejects without a response in 10 s,
 * and for a URL that is not allowed. The response's body is not read, and redirects are not followed.
 */
export async function sendPush(
  { keys, contact, allowLoopback, resolver }: PushSender,
  { endpoint, p256dh, auth }: PushSubscription,
  { payload, ttlS, topic }: PushMessage,
): Promise<number> {
  if (!isAllowedEndpoint(endpoint, allowLoopback))
    throw new Error('The address of the push service is not allowed')
  const { method, headers, body } = webPush.generateRequestDetails(
    { endpoint, keys: { p256dh, auth } },
    payload,
    {
      vapidDetails: { subject: contact, ...keys },
      TTL: ttlS,
      topic,
      urgency: 'high',
      contentEncoding: 'aes128gcm',
    },
  )
  const { protocol, hostname } = new URL(endpoint)
  const isLocal = allowLoopback && isLoopback(hostname)
  return new Promise((resolve, reject) => {
    const request = (protocol === 'http:' ? http : https).request(endpoint, {
      method,
      headers: { ...headers, 'Content-Type': 'application/notification+json' },
      signal: AbortSignal.timeout(timeoutMs),
      ...(!isLocal && { lookup: lookupPublic(resolver) }),
      // A connection of its own: a shared one could be closed by the push service at any time.
      agent: false,
    })
    request.once('response', response => {
      response.destroy()
      resolve(response.statusCode ?? 0)
    })
    // Also errors after the response, which change nothing.
    request.on('error', reject)
    request.end(body)
  })
}
