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
import { demoClient } from './demoProvider.ts'

const answerTimeoutSeconds = 10

/** How we are known to an OpenID Connect provider. */
export interface OpenIdClient {
  issuer: string
  clientId: string
  clientSecret: string
}

/** The provider of external accounts. Refuses with `google-not-set-up` if there is none. */
export type Provider = () => Promise<Configuration>

/** What the provider says of itself is asked for once; if that fails, the next sign-in asks again. */
export function createProvider(context: AppContext): Provider {
  const { google } = context.config
  if (google && isPlainHttp(google.issuer) && !isLoopback(new URL(google.issuer).hostname)) {
    throw new SettingsRefused('Settings refused:\n  GOOGLE_ISSUER must be https')
  }
  let known: Promise<Configuration> | undefined
  return () => {
    const client = google ?? demoClient(context)
    if (!client) throw new Refusal('google-not-set-up')
    known ??= discover(client).catch((error: unknown) => {
      known = undefined
      throw error
    })
    return known
  }
}

function discover({ issuer, clientId, clientSecret }: OpenIdClient): Promise<Configuration> {
  return discovery(new URL(issuer), clientId, undefined, ClientSecretPost(clientSecret), {
    timeout: answerTimeoutSeconds,
    execute: [
      // The ID token's signature is checked although it comes straight from the provider.
      enableNonRepudiationChecks,
      ...(isPlainHttp(issuer) ? [allowInsecureRequests] : []),
    ],
  })
}

function isPlainHttp(issuer: string): boolean {
  return new URL(issuer).protocol === 'http:'
}
