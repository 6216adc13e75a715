import type { z } from 'zod'
import { support } from '#support/contract/support.ts'
import { auth } from './auth.ts'
import { carRaces } from './carRaces.ts'
import { circuits } from './circuits.ts'
import type { Auth, Endpoint, Kind } from './endpoint.ts'
import { files } from './files.ts'
import { fills } from './fills.ts'
import { glass } from './glass.ts'
import { joinCodes } from './joinCodes.ts'
import { laps } from './laps.ts'
import { messages } from './messages.ts'
import { notifications } from './notifications.ts'
import { words } from './ownWords.ts'
import { passkeys } from './passkeys.ts'
import { positions } from './positions.ts'
import { privacy } from './privacy.ts'
import { races } from './races.ts'
import { roster } from './roster.ts'
import { rulePacks } from './rulePacks.ts'
import { sessions } from './sessions.ts'
import { stints } from './stints.ts'
import { teams } from './teams.ts'
import { televisions } from './televisions.ts'
import { timing } from './timing.ts'
import { users } from './users.ts'

/** Every call of the product. `teams.invite` is `POST /api/teams.invite`. */
export const api = {
  auth,
  passkeys,
  users,
  teams,
  joinCodes,
  televisions,
  sessions,
  messages,
  words,
  notifications,
  laps,
  circuits,
  roster,
  carRaces,
  stints,
  races,
  rulePacks,
  fills,
  timing,
  glass,
  positions,
  files,
  privacy,
  support,
}
export type Api = typeof api

type Topic = keyof Api

/** Names of endpoints, such as `'teams.invite'`, of one kind or of both. */
export type EndpointName<K extends Kind = Kind> = {
  [T in Topic]: {
    [N in keyof Api[T] & string]: Api[T][N] extends Endpoint<K> ? `${T}.${N}` : never
  }[keyof Api[T] & string]
}[Topic]

type EndpointAt<Name extends string> = Name extends `${infer T extends Topic}.${infer N}`
  ? N extends keyof Api[T]
    ? Api[T][N]
    : never
  : never

export type InputOf<Name extends EndpointName> =
  EndpointAt<Name> extends Endpoint<Kind, Auth, infer I> ? z.input<I> : never

export type OutputOf<Name extends EndpointName> =
  EndpointAt<Name> extends Endpoint<Kind, Auth, z.ZodType, infer O> ? z.output<O> : never
