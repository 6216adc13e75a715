import { z } from 'zod'
import { command, read } from './endpoint.ts'
import { TeamId, UserId } from './ids.ts'
import { LineOfText, said } from './text.ts'

/** Kept as typed, but for spaces around it and its case. */
export const Email = z
  .string()
  .trim()
  .toLowerCase()
  .max(254, said('too-long'))
  .pipe(z.email(said('email-incomplete')))

export const FirstName = LineOfText
export const LastName = LineOfText

/** What people who share a team know of each other. */
export const Person = z.object({
  id: UserId,
  firstName: z.string().nullable(),
  lastName: z.string().nullable(),
  /** None for someone who has not signed in with an address (anonymous). */
  email: z.string().nullable(),
})
export type Person = z.infer<typeof Person>

/** The signed-in user. `status` is Active with the team one has open, Inactive with none. */
export const Me = Person.extend({
  status: z.enum(['Active', 'Inactive']),
  activeTeamId: TeamId.nullable(),
  isAnonymous: z.boolean(),
})
export type Me = z.infer<typeof Me>

export const users = {
  me: read({
    auth: 'any-login',
    summary: 'The signed-in user.',
    input: z.object({}),
    output: Me,
  }),
  get: read({
    auth: 'any-login',
    summary: 'A person one shares a team with.',
    input: z.object({ userId: UserId }),
    output: Person,
  }),
  rename: command({
    auth: 'signed-in',
    summary: "Changes the signed-in user's first and last name.",
    input: z.object({ firstName: FirstName, lastName: LastName }),
    output: Me,
  }),
  setActiveTeam: command({
    auth: 'signed-in',
    summary: 'Says which team one has open: Active with a team, Inactive with none.',
    input: z.object({ teamId: TeamId.nullable() }),
    output: Me,
  }),
  deleteHistory: command({
    auth: 'signed-in',
    summary:
      'Deletes every stored position of every session one has driven, also in teams one has left.',
    input: z.object({}),
    output: z.object({ deleted: z.int(), continues: z.boolean() }),
  }),
}
