import { z } from 'zod'
import { command, read } from './endpoint.ts'
import { EpochMs, UserId } from './ids.ts'
import { scopes } from './shared/scopes.ts'
import { MailedName, refusalDetail, TypedCode } from './text.ts'

/** Stored as typed, but trimmed and in lower case. */
export const Email = z
  .string()
  .trim()
  .toLowerCase()
  .max(254, refusalDetail('too-long'))
  .pipe(z.email(refusalDetail('email-incomplete')))

export const FirstName = MailedName
export const LastName = MailedName

/** The profile that members of a team see of each other. */
export const Person = z.object({
  id: UserId,
  firstName: z.string().nullable(),
  lastName: z.string().nullable(),
  /** Null for an anonymous user, who has not signed in with an e-mail address. */
  email: z.string().nullable(),
})
export type Person = z.infer<typeof Person>

/**
 * The signed-in user. `kind` is `account` with an e-mail address or a passkey, `joined` for a person who joined a team by
 * a code and has neither, and `anonymous` for a login that may only read.
 */
export const Me = Person.extend({
  isAnonymous: z.boolean(),
  kind: z.enum(['account', 'joined', 'anonymous']),
})
export type Me = z.infer<typeof Me>
export type LoginKind = Me['kind']

export const users = {
  me: read({
    auth: 'any-login',
    scopes,
    summary: 'The signed-in user.',
    input: z.object({}),
    output: Me,
  }),
  get: read({
    auth: 'any-login',
    scopes: ['read'],
    summary: 'A person who shares a team with the caller.',
    input: z.object({ userId: UserId }),
    output: Person,
  }),
  rename: command({
    auth: 'signed-in',
    limit: 'rare',
    summary: "Changes the signed-in user's first and last name.",
    input: z.object({ firstName: FirstName, lastName: LastName }),
    output: Me,
  }),
  sendEmailCodes: command({
    auth: 'signed-in',
    summary:
      'Mails two codes for `users.changeEmail`: one to the current e-mail address of the caller, if they have any, one to the new one. The response is the same whether or not an account has the new address.',
    input: z.object({ email: Email }),
    output: z.object({ expiresAt: EpochMs }),
  }),
  changeEmail: command({
    auth: 'signed-in',
    summary:
      "Changes the caller's email address with the codes of `users.sendEmailCodes`, requested by the same login. Other logins stay signed in.",
    input: z.object({
      email: Email,
      /** Absent if the caller has no e-mail address yet. */
      currentCode: TypedCode.optional(),
      newCode: TypedCode,
    }),
    output: Me,
  }),
  delete: command({
    auth: 'signed-in',
    summary:
      "Deletes the caller's account, whose e-mail address, if any, confirms it, within 15 minutes after a sign-in in a browser. Their positions and memberships are deleted; sessions and messages of teams stay, of a deleted user.",
    input: z.object({ email: Email.optional() }),
    output: z.object({}),
  }),
  deletePositions: command({
    auth: 'signed-in',
    limit: 'costly',
    summary:
      'Deletes every stored position of every session the caller has driven, also in teams they have left.',
    input: z.object({}),
    output: z.object({ deleted: z.int(), continues: z.boolean() }),
  }),
}
