import { randomBytes } from 'node:crypto'
import { z } from 'zod'
import { Email, FirstName, LastName } from '#contract/users.ts'

export const clientId = 'pitboard-demo'
/** Random per process, because the client and the provider are the same process. */
export const clientSecret = randomBytes(32).toString('base64url')

/** Starts a sign-in: sent by the browser. */
export const AuthorizationRequest = z.object({
  client_id: z.literal(clientId),
  redirect_uri: z.url(),
  response_type: z.literal('code'),
  scope: z.string().regex(/\bopenid\b/),
  state: z.string().min(1).max(512),
  nonce: z.string().min(1).max(512),
  code_challenge: z.string().regex(/^[\w-]{43}$/),
  code_challenge_method: z.literal('S256'),
})
export type AuthorizationRequest = z.infer<typeof AuthorizationRequest>

/** The account that a tester types. */
export const DemoAccount = z.object({
  email: Email,
  given_name: FirstName,
  family_name: LastName,
  email_verified: z.literal('on').optional(),
})
export type DemoAccount = z.infer<typeof DemoAccount>

/** Exchanges a code for an ID token: sent by our server. */
export const TokenRequest = z.object({
  grant_type: z.literal('authorization_code'),
  code: z.string(),
  redirect_uri: z.string(),
  code_verifier: z.string().min(43).max(128),
  client_id: z.literal(clientId),
  client_secret: z.literal(clientSecret),
})
