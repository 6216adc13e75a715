import {
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
  type WebAuthnCredential,
} from '@simplewebauthn/server'
import type { z } from 'zod'
import type { passkeys } from '#contract/passkeys.ts'
import { Refusal } from '#contract/refusal.ts'
import type { AppContext } from '../context.ts'
import type { Challenge } from './challenges.ts'
import { relyingParty } from './relyingParty.ts'

/** Ed25519, ECDSA with P-256, RSA with SHA-256: what the authenticators in use support. */
export const algorithms = [-8, -7, -257]

type InputOf<Call extends keyof typeof passkeys> = z.output<(typeof passkeys)[Call]['input']>

/** The key with which a sign-in is verified. */
interface StoredKey {
  public_key: Uint8Array
  sign_count: number | string | bigint
}

/** Verifies an authenticator's response to a request to add a passkey. Refuses with `passkey-refused`. */
export async function verifyRegistration(
  context: AppContext,
  { credential, challenge }: Pick<InputOf<'add'>, 'credential'> & { challenge: Challenge },
): Promise<WebAuthnCredential> {
  const verified = await verifyRegistrationResponse({
    response: { ...credential, clientExtensionResults: {} },
    ...expected(context, challenge),
    supportedAlgorithmIDs: algorithms,
  }).catch(error => refuse(context, error))
  if (!verified.verified) throw new Refusal('passkey-refused')
  return verified.registrationInfo.credential
}

/** Verifies an authenticator's response to a sign-in. Returns its new count of signatures. Refuses with `passkey-refused`. */
export async function verifySignIn(
  context: AppContext,
  {
    credential,
    challenge,
    known,
  }: Pick<InputOf<'signIn'>, 'credential'> & { challenge: Challenge; known: StoredKey },
): Promise<number> {
  const { id, rawId, type, response } = credential
  const { clientDataJSON, authenticatorData, signature } = response
  const verified = await verifyAuthenticationResponse({
    response: {
      id,
      rawId,
      type,
      // Without the user handle, which is not needed.
      response: { clientDataJSON, authenticatorData, signature },
      clientExtensionResults: {},
    },
    ...expected(context, challenge),
    credential: {
      id,
      publicKey: new Uint8Array(known.public_key),
      counter: Number(known.sign_count),
    },
  }).catch(error => refuse(context, error))
  if (!verified.verified) throw new Refusal('passkey-refused')
  return verified.authenticationInfo.newCounter
}

function expected(context: AppContext, challenge: Challenge) {
  const { id, origin } = relyingParty(context.publicUrl())
  return {
    expectedChallenge: challenge.bytes.toString('base64url'),
    expectedOrigin: origin,
    expectedRPID: id,
    requireUserVerification: false,
  }
}

/** Refuses a response that the library rejects. It throws for invalid input of every kind. */
function refuse({ log }: AppContext, error: unknown): never {
  log.info({ err: error }, 'passkey response refused')
  throw new Refusal('passkey-refused')
}
