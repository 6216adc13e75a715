import { z } from 'zod'
import { command, read } from './endpoint.ts'
import { EpochMs } from './ids.ts'
import { LineOfText, said } from './text.ts'
import { Email, FirstName, LastName, Me } from './users.ts'

/** A sign-in: who, and until when. It slides forward while it is used. */
export const Login = z.object({
  user: Me,
  expiresAt: EpochMs,
  /** There is support for this user: `support.settings` says where. */
  support: z.literal(true).optional(),
})
export type Login = z.infer<typeof Login>

export const auth = {
  sendCode: command({
    auth: 'anyone',
    summary: 'Mails a six-digit code. At sign-up it carries the first and last name.',
    input: z.object({
      email: Email,
      firstName: FirstName.optional(),
      lastName: LastName.optional(),
    }),
    output: z.object({ email: z.string(), expiresAt: EpochMs }),
  }),
  verifyCode: command({
    auth: 'anyone',
    summary: 'Signs in with the code. A device gets a bearer token instead of a cookie.',
    input: z.object({
      email: Email,
      code: z.string().trim().min(1, said('missing')).max(32, said('too-long')),
      /** The name of a device without a browser, such as a GPS logger. */
      device: LineOfText.optional(),
    }),
    output: Login.extend({ token: z.string().optional() }),
  }),
  signInAnonymously: command({
    auth: 'anyone',
    summary: 'Signs in without an address. Signing in with a code later keeps the same user.',
    input: z.object({}),
    output: Login,
  }),
  login: read({
    auth: 'anyone',
    summary: 'The current login, or none. Reading it slides its expiry forward.',
    input: z.object({}),
    output: z.object({ login: Login.nullable() }),
  }),
  signOut: command({
    auth: 'signed-in',
    summary: 'Ends this login and closes its live lines.',
    input: z.object({}),
    output: z.object({}),
  }),
}
