import type { z } from 'zod'
import { support } from '#support/contract/support.ts'
import { circuits } from './circuits.ts'
import type { Auth, Endpoint, Kind } from './endpoint.ts'
import { auth } from './people/auth.ts'
import { passkeys } from './people/passkeys.ts'
import { privacy } from './people/privacy.ts'
import { users } from './people/users.ts'
import { fills } from './races/fills.ts'
import { races } from './races/races.ts'
import { roster } from './races/roster.ts'
import { rulePacks } from './races/rulePacks.ts'
import { stints } from './races/stints.ts'
import { laps } from './sessions/laps.ts'
import { messages } from './sessions/messages.ts'
import { positions } from './sessions/positions.ts'
import { sessions } from './sessions/sessions.ts'
import { files } from './teams/files.ts'
import { notifications } from './teams/notifications.ts'
import { teams } from './teams/teams.ts'
import { televisions } from './teams/televisions.ts'
import { words } from './teams/words.ts'

/** Every call of the product. `teams.invite` is `POST /api/teams.invite`. */
export const api = {
  auth,
  passkeys,
  users,
  teams,
  televisions,
  sessions,
  messages,
  words,
  notifications,
  laps,
  circuits,
  roster,
  stints,
  races,
  rulePacks,
  fills,
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
