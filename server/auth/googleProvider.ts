import {
  allowInsecureRequests,
  ClientSecretPost,
  type Configuration,
  discovery,
  enableNonRepudiationChecks,
} from 'openid-client'
import { Refusal } from '#contract/refusal.ts'
import { isLoopback, SettingsRefused } from '../config.ts'
import type { AppContext } from '../context.ts'

const responseTimeoutSeconds = 10

/** Our client registration at an OpenID Connect provider. */
export interface OpenIdClient {
  issuer: string
  clientId: string
  clientSecret: string
}

/** Loads the provider's configuration. Refuses with `google-not-set-up` if none is configured. */
export type Provider = () => Promise<Configuration>

/**
 * Creates a loader that caches the provider's discovery document; after a failure the next sign-in retries.
 * `standIn` returns the client to use if no provider is configured.
 */
export function createProvider(
  { config: { google } }: AppContext,
  standIn: () => OpenIdClient | undefined,
): Provider {
  if (google && isPlainHttp(google.issuer) && !isLoopback(new URL(google.issuer).hostname)) {
    throw new SettingsRefused('Settings refused:\n  GOOGLE_ISSUER must be https')
  }
  let cached: Promise<Configuration> | undefined
  return () => {
    const client = google ?? standIn()
    if (!client) throw new Refusal('google-not-set-up')
    cached ??= discover(client).catch((error: unknown) => {
      cached = undefined
      throw error
    })
    return cached
  }
}

function discover({ issuer, clientId, clientSecret }: OpenIdClient): Promise<Configuration> {
  return discovery(new URL(issuer), clientId, undefined, ClientSecretPost(clientSecret), {
    timeout: responseTimeoutSeconds,
    execute: [
      // Verifies the ID token's signature, although the token comes directly from the provider.
      enableNonRepudiationChecks,
      ...(isPlainHttp(issuer) ? [allowInsecureRequests] : []),
    ],
  })
}

function isPlainHttp(issuer: string): boolean {
  return new URL(issuer).protocol === 'http:'
}
