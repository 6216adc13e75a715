import { z } from 'zod'
import { command, read } from './endpoint.ts'
import { EpochMs, LoginId, TeamId } from './ids.ts'
import { deviceScopes, scopes } from './shared/scopes.ts'
import { LineOfText, TypedCode } from './text.ts'
import { Email, FirstName, LastName, Me } from './users.ts'

/** A sign-in of one user. Its expiry is extended while it is used. */
export const Login = z.object({
  user: Me,
  expiresAt: EpochMs,
  /** Present if support is available to this user; `support.settings` has the details. */
  support: z.literal(true).optional(),
  /** Present for a television, which reads the pit wall of this team and nothing else. */
  television: z.object({ teamId: TeamId, team: z.string() }).optional(),
})
export type Login = z.infer<typeof Login>

/** Rights of a token. */
export const Scopes = z.array(z.enum(deviceScopes)).min(1).max(10)

/** One of the user's own logins, described so that they recognise it. */
export const SignedInDevice = z.object({
  id: LoginId,
  /** The name that a device without a browser chose for itself. */
  device: z.string().nullable(),
  /** Rights of a device's token; null for a browser. */
  scopes: Scopes.nullable(),
  /** Such as `Chrome` on `Android`. Null for a device, and for an unknown browser. */
  browser: z.string().nullable(),
  system: z.string().nullable(),
  createdAt: EpochMs,
  /** Accurate to one hour. */
  lastUsedAt: EpochMs,
  expiresAt: EpochMs,
  /** True for the login that made the request. */
  isThis: z.boolean(),
})
export type SignedInDevice = z.infer<typeof SignedInDevice>

export const auth = {
  sendCode: command({
    auth: 'anyone',
    summary:
      'Mails a six-digit code for this browser: the response sets a cookie that `auth.verifyCode` needs. At sign-up the request contains the first and last name.',
    input: z.object({
      email: Email,
      firstName: FirstName.optional(),
      lastName: LastName.optional(),
    }),
    output: z.object({ email: z.string(), expiresAt: EpochMs }),
  }),
  verifyCode: command({
    auth: 'anyone',
    summary:
      'Signs in with the code, in the browser that asked for it. A device gets a bearer token instead of a cookie; it sends the cookie of `auth.sendCode` too.',
    input: z.object({
      email: Email,
      code: TypedCode,
      /**
       * Whether a person who joined by a code in this browser, and has no e-mail yet, gets this one. Required then:
       * without it the code is refused with `attach-first`.
       */
      attach: z.boolean().optional(),
      /** The name of a device without a browser, such as a GPS logger. */
      device: LineOfText.optional(),
      /** Rights of the device's token. */
      scopes: Scopes.default(['drive', 'read']),
    }),
    output: Login.extend({ token: z.string().optional() }),
  }),
  signInAnonymously: command({
    auth: 'anyone',
    summary:
      'Signs in without an e-mail address, where ANONYMOUS_ACCOUNTS is on: such a login may only read. Signing in with a code later keeps the same user.',
    input: z.object({}),
    output: Login,
  }),
  login: read({
    auth: 'anyone',
    summary: 'The current login, or null. Reading it extends its expiry.',
    input: z.object({}),
    output: z.object({
      login: Login.nullable(),
      /** Present if sign-in with Google is set up. */
      google: z.literal(true).optional(),
    }),
  }),
  logins: read({
    auth: 'any-login',
    summary: 'The logins of the caller: browsers, and devices with a token. This login first.',
    input: z.object({}),
    output: z.array(SignedInDevice),
  }),
  createToken: command({
    auth: 'account',
    summary:
      'Creates a token for a device, such as a GPS logger. Only in a browser, up to 15 minutes after its sign-in.',
    input: z.object({ name: LineOfText, scopes: Scopes }),
    output: z.object({
      /** Returned only here: the server stores its SHA-256. */
      token: z.string(),
      expiresAt: EpochMs,
    }),
  }),
  endLogin: command({
    auth: 'any-login',
    summary: 'Ends one of the caller’s logins and closes its live connections.',
    input: z.object({ loginId: LoginId }),
    output: z.object({}),
  }),
  signOutEverywhere: command({
    auth: 'any-login',
    summary:
      'Ends every other login of the caller; those of devices without a browser only on request.',
    input: z.object({ devices: z.boolean().default(false) }),
    output: z.object({ ended: z.int() }),
  }),
  signOut: command({
    auth: 'any-login',
    scopes,
    summary: 'Ends this login and closes its live connections.',
    input: z.object({}),
    output: z.object({}),
  }),
}
