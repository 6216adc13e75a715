import type { FastifyInstance } from 'fastify'
import { circuits } from '#contract/circuits.ts'
import { auth } from '#contract/people/auth.ts'
import { passkeys } from '#contract/people/passkeys.ts'
import { privacy } from '#contract/people/privacy.ts'
import { users } from '#contract/people/users.ts'
import { fills } from '#contract/races/fills.ts'
import { races } from '#contract/races/races.ts'
import { roster } from '#contract/races/roster.ts'
import { rulePacks } from '#contract/races/rulePacks.ts'
import { stints } from '#contract/races/stints.ts'
import { laps } from '#contract/sessions/laps.ts'
import { messages } from '#contract/sessions/messages.ts'
import { positions } from '#contract/sessions/positions.ts'
import { sessions } from '#contract/sessions/sessions.ts'
import { files } from '#contract/teams/files.ts'
import { notifications } from '#contract/teams/notifications.ts'
import { teams } from '#contract/teams/teams.ts'
import { televisions } from '#contract/teams/televisions.ts'
import { words } from '#contract/teams/words.ts'
import { addAccountExport } from './auth/account/exportAccount.ts'
import { passkeyCalls } from './auth/passkeys/routes.ts'
import { privacyCalls } from './auth/privacy.ts'
import { authCalls } from './auth/routes.ts'
import { userCalls } from './auth/users.ts'
import { addCircuitExport } from './circuits/files/exportCircuit.ts'
import { circuitCalls } from './circuits/routes.ts'
import type { AppContext } from './context.ts'
import { mount } from './http/route.ts'
import { lapCalls } from './laps/routes.ts'
import { type LiveContext } from './live/context.ts'
import { addMessagesCsv } from './messages/csv.ts'
import { messageCalls } from './messages/routes.ts'
import { raceCalls, rulePackCalls } from './races/routes.ts'
import { addContactRoute } from './sessions/contact.ts'
import { addExportRoutes } from './sessions/recordings/exportRoutes.ts'
import { addImportRoute } from './sessions/recordings/import/importRoute.ts'
import { positionCalls } from './sessions/recordings/routes.ts'
import { sessionCalls } from './sessions/routes.ts'
import { fillCalls } from './stints/fillRoutes.ts'
import { rosterCalls } from './stints/roster/routes.ts'
import { stintCalls } from './stints/routes.ts'
import { addFileRoutes, fileCalls } from './storage/routes.ts'
import { notificationCalls } from './teams/events/routes.ts'
import { teamCalls } from './teams/routes.ts'
import { televisionCalls } from './teams/televisions/routes.ts'
import { wordCalls } from './teams/words/routes.ts'

/**
 * Adds all calls, and the routes that send or receive files. `hasGoogle` returns whether people can sign in with Google,
 * once the server listens.
 */
export async function addCalls(
  http: FastifyInstance,
  context: AppContext,
  { live, hasGoogle }: { live: LiveContext; hasGoogle: () => boolean },
) {
  mount(http, 'auth', auth, authCalls(context, hasGoogle), context)
  mount(http, 'passkeys', passkeys, passkeyCalls(context), context)
  mount(http, 'users', users, userCalls(context), context)
  mount(http, 'teams', teams, teamCalls(context), context)
  mount(http, 'televisions', televisions, televisionCalls(context), context)
  mount(http, 'sessions', sessions, sessionCalls(context), context)
  mount(http, 'messages', messages, messageCalls(context), context)
  mount(http, 'words', words, wordCalls(context), context)
  mount(http, 'notifications', notifications, notificationCalls(context), context)
  mount(http, 'laps', laps, lapCalls(context), context)
  mount(http, 'circuits', circuits, circuitCalls(context), context)
  mount(http, 'roster', roster, rosterCalls(context), context)
  mount(http, 'stints', stints, stintCalls(context), context)
  mount(http, 'races', races, raceCalls(context), context)
  mount(http, 'rulePacks', rulePacks, rulePackCalls(context), context)
  mount(http, 'fills', fills, fillCalls(context), context)
  mount(http, 'positions', positions, positionCalls(context), context)
  mount(http, 'files', files, fileCalls(context), context)
  mount(http, 'privacy', privacy, privacyCalls(context), context)
  await addFileRoutes(http, context)
  addContactRoute(http, context, live)
  addMessagesCsv(http, context)
  addCircuitExport(http, context)
  addExportRoutes(http, context)
  await addImportRoute(http, context)
  addAccountExport(http, context)
}
