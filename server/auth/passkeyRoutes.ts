import type { Kysely } from 'kysely'
import type { UserId } from '#contract/ids.ts'
import type { CreationOptions, passkeys } from '#contract/passkeys.ts'
import { Refusal } from '#contract/refusal.ts'
import type { AppContext, Caller } from '../context.ts'
import type { Tables } from '../db/schema/tables.ts'
import type { HandlersOf } from '../http/route.ts'
import { asLogin } from './asLogin.ts'
import {
  challengeIn,
  challengeLifeMs,
  clearChallenge,
  consumeChallenge,
  startChallenge,
} from './challenges.ts'
import { completeSignIn } from './completeSignIn.ts'
import { isBrowser } from './logins/loginCookie.ts'
import {
  addPasskey,
  listPasskeys,
  passkeyWith,
  recordUse,
  removePasskey,
  requireRecentSignIn,
} from './passkeys.ts'
import { personName, userById } from './people.ts'
import { relyingParty } from './relyingParty.ts'
import { signIn } from './signIn.ts'
import { algorithms, verifyRegistration, verifySignIn } from './verifyResponses.ts'

/** Adds, lists and removes passkeys, and signs in with one. */
export function passkeyCalls(context: AppContext): HandlersOf<typeof passkeys, Caller> {
  const { db, clock } = context
  const site = () => ({ db, publicUrl: context.publicUrl(), now: clock.now() })
  return {
    list: ({ caller }) => listPasskeys(db, caller.userId),

    async startAdding({ caller, reply }) {
      const { id } = relyingParty(context.publicUrl())
      await requireRecentSignIn(db, caller, clock.now())
      await requireOwnPasskey(context, caller)
      const options = await creationOptions(db, caller.userId)
      const challenge = await startChallenge(site(), reply, { addTo: caller.userId })
      return {
        ...options,
        rp: { id, name: 'Pitboard' },
        challenge: challenge.toString('base64url'),
      }
    },

    async add({ input: { name, credential }, caller, request, reply }) {
      await requireOwnPasskey(context, caller)
      const challenge = await challengeIn(site(), request, { addTo: caller.userId })
      const added = await verifyRegistration(context, { credential, challenge })
      const passkey = await addPasskey(db, caller, {
        credentialId: Buffer.from(added.id, 'base64url'),
        publicKey: Buffer.from(added.publicKey),
        signCount: added.counter,
        name,
        challenge,
        now: clock.now(),
      })
      clearChallenge(reply, context.publicUrl())
      return passkey
    },

    async remove({ input: { passkeyId }, caller }) {
      await requireOwnPasskey(context, caller)
      await removePasskey(db, caller.userId, passkeyId)
      return {}
    },

    // Responds identically to everybody: the browser finds the passkeys of the site by itself.
    async startSignIn({ reply }) {
      const { id } = relyingParty(context.publicUrl())
      const challenge = await startChallenge(site(), reply, 'sign-in')
      return {
        rpId: id,
        challenge: challenge.toString('base64url'),
        timeout: challengeLifeMs,
        userVerification: 'preferred',
      }
    },

    async signIn({ input: { credential }, caller, request, reply }) {
      const challenge = await challengeIn(site(), request, 'sign-in')
      const credentialId = Buffer.from(credential.id, 'base64url')
      const known = await passkeyWith(db, credentialId)
      if (!known) throw new Refusal('passkey-refused')
      const { email } = known
      const newCount = await verifySignIn(context, { credential, challenge, known })
      const now = clock.now()
      const signedIn = await signIn(context, {
        email,
        ip: request.ip,
        userAgent: request.headers['user-agent'],
        passkeyOf: known.user_id,
        previous: isBrowser(request) ? caller : null,
        now,
        async first(trx) {
          await consumeChallenge(trx, challenge)
          await recordUse(trx, {
            credentialId,
            userId: known.user_id,
            email,
            oldCount: Number(known.sign_count),
            newCount,
            now,
          })
        },
      })
      clearChallenge(reply, context.publicUrl())
      await completeSignIn(context, { request, reply }, signedIn, { email })
      return asLogin(context, signedIn)
    },
  }
}

/** Returns the options with which a browser makes a passkey that this user does not have yet. */
async function creationOptions(
  db: Kysely<Tables>,
  userId: UserId,
): Promise<Omit<CreationOptions, 'rp' | 'challenge'>> {
  const user = await userById(db, userId)
  if (!user) throw new Refusal('not-signed-in')
  const name = user.email ?? personName(user)
  const known = await db
    .selectFrom('passkeys')
    .select('credential_id')
    .where('user_id', '=', userId)
    .execute()
  return {
    user: { id: Buffer.from(userId).toString('base64url'), name, displayName: name },
    pubKeyCredParams: algorithms.map(alg => ({ alg, type: 'public-key' })),
    timeout: challengeLifeMs,
    excludeCredentials: known.map(({ credential_id }) => ({
      id: credential_id.toString('base64url'),
      type: 'public-key',
    })),
    authenticatorSelection: {
      residentKey: 'required',
      requireResidentKey: true,
      userVerification: 'preferred',
    },
    attestation: 'none',
  }
}

/**
 * Refuses a support agent who has a passkey but did not use it to sign in: somebody who reads their mail must not
 * replace it.
 */
async function requireOwnPasskey({ db, config }: AppContext, caller: Caller) {
  if (!config.support || caller.withPasskey) return
  const { email } = (await userById(db, caller.userId)) ?? {}
  const isAgent = email != null && config.support.admins.has(email)
  if (isAgent && (await listPasskeys(db, caller.userId)).length > 0)
    throw new Refusal('passkey-needed')
}
