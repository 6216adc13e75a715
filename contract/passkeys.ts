import { z } from 'zod'
import { Login } from './auth.ts'
import { command, read } from './endpoint.ts'
import { EpochMs, PasskeyId } from './ids.ts'
import { LineOfText } from './text.ts'

const base64url = (maxLength: number) =>
  z
    .string()
    .max(maxLength)
    .regex(/^[\w-]+$/)

/** WebAuthn limits credential ids to 1023 bytes. */
const CredentialId = base64url(1364)

/** A credential of WebAuthn as JSON, whose response has these fields. */
const credential = <Shape extends z.ZodRawShape>(response: Shape) =>
  z.object({
    id: CredentialId,
    rawId: CredentialId,
    type: z.literal('public-key'),
    response: z.object({ clientDataJSON: base64url(4096), ...response }),
  })

/** One of the user's passkeys. */
export const Passkey = z.object({
  id: PasskeyId,
  name: z.string(),
  createdAt: EpochMs,
  /** Null if it was never used to sign in. */
  lastUsedAt: EpochMs.nullable(),
})
export type Passkey = z.infer<typeof Passkey>

/** `PublicKeyCredentialCreationOptionsJSON` of WebAuthn. */
export const CreationOptions = z.object({
  rp: z.object({ id: z.string(), name: z.string() }),
  user: z.object({ id: z.string(), name: z.string(), displayName: z.string() }),
  challenge: z.string(),
  pubKeyCredParams: z.array(z.object({ alg: z.int(), type: z.literal('public-key') })),
  timeout: z.int(),
  excludeCredentials: z.array(z.object({ id: z.string(), type: z.literal('public-key') })),
  authenticatorSelection: z.object({
    residentKey: z.literal('required'),
    requireResidentKey: z.literal(true),
    userVerification: z.literal('preferred'),
  }),
  attestation: z.literal('none'),
})
export type CreationOptions = z.infer<typeof CreationOptions>

/** `PublicKeyCredentialRequestOptionsJSON` of WebAuthn. */
const RequestOptions = z.object({
  rpId: z.string(),
  challenge: z.string(),
  timeout: z.int(),
  userVerification: z.literal('preferred'),
})

export const passkeys = {
  list: read({
    auth: 'signed-in',
    summary: 'The passkeys of the caller, newest first.',
    input: z.object({}),
    output: z.array(Passkey),
  }),
  startAdding: command({
    auth: 'signed-in',
    summary:
      'Options for `navigator.credentials.create`. Needs a sign-in in the past 15 minutes. Sets a cookie that `passkeys.add` needs.',
    input: z.object({}),
    output: CreationOptions,
  }),
  add: command({
    auth: 'signed-in',
    summary:
      'Stores a passkey that this browser created with the options of `passkeys.startAdding`.',
    input: z.object({
      name: LineOfText,
      credential: credential({ attestationObject: base64url(16_384) }),
    }),
    output: Passkey,
  }),
  remove: command({
    auth: 'signed-in',
    summary: 'Removes one of the caller’s passkeys. Its logins stay.',
    input: z.object({ passkeyId: PasskeyId }),
    output: z.object({}),
  }),
  startSignIn: command({
    auth: 'anyone',
    summary:
      'Options for `navigator.credentials.get`, the same for everybody. Sets a cookie that `passkeys.signIn` needs.',
    input: z.object({}),
    output: RequestOptions,
  }),
  signIn: command({
    auth: 'anyone',
    summary: 'Signs in the owner of a passkey, in the browser that called `passkeys.startSignIn`.',
    input: z.object({
      credential: credential({
        authenticatorData: base64url(4096),
        signature: base64url(2048),
        userHandle: base64url(128).optional(),
      }),
    }),
    output: Login,
  }),
}
