import type { FastifyInstance } from 'fastify'
import { auth } from '#contract/auth.ts'
import { carRaces } from '#contract/carRaces.ts'
import { circuits } from '#contract/circuits.ts'
import type { Endpoint } from '#contract/endpoint.ts'
import { files } from '#contract/files.ts'
import { fills } from '#contract/fills.ts'
import { glass } from '#contract/glass.ts'
import { joinCodes } from '#contract/joinCodes.ts'
import { laps } from '#contract/laps.ts'
import { messages } from '#contract/messages.ts'
import { notifications } from '#contract/notifications.ts'
import { words } from '#contract/ownWords.ts'
import { passkeys } from '#contract/passkeys.ts'
import { positions } from '#contract/positions.ts'
import { privacy } from '#contract/privacy.ts'
import { races } from '#contract/races.ts'
import { roster } from '#contract/roster.ts'
import { rulePacks } from '#contract/rulePacks.ts'
import { sessions } from '#contract/sessions.ts'
import { stints } from '#contract/stints.ts'
import { teams } from '#contract/teams.ts'
import { televisions } from '#contract/televisions.ts'
import { timing } from '#contract/timing.ts'
import { users } from '#contract/users.ts'
import { authCalls } from './account/authRoutes.ts'
import { addAccountExport } from './account/exportAccount.ts'
import { privacyCalls } from './account/privacy.ts'
import { userCalls } from './account/users.ts'
import { passkeyCalls } from './auth/passkeyRoutes.ts'
import { addCircuitExport } from './circuits/exportCircuit.ts'
import { circuitCalls } from './circuits/routes.ts'
import type { AppContext, Caller } from './context.ts'
import { type HandlersOf, mount } from './http/route.ts'
import { lapCalls } from './laps/routes.ts'
import { messageCalls } from './messages/routes.ts'
import { notificationCalls } from './notifications/routes.ts'
import type { TeamEvents } from './notifications/teamEvents.ts'
import { deleteSessionPositions } from './races/deleteOwnPositions.ts'
import { endSession } from './races/endSession.ts'
import { startPractice } from './races/practice.ts'
import { carRaceCalls, fillCalls, raceCalls, rulePackCalls, stintCalls } from './races/routes.ts'
import { startSession } from './races/startSession.ts'
import { addExportRoutes } from './recordings/exportRoutes.ts'
import { addImportRoute } from './recordings/importRoute.ts'
import { addMessagesCsv } from './recordings/messagesCsv.ts'
import { positionCalls } from './recordings/positionCalls.ts'
import { rosterCalls } from './roster/routes.ts'
import { addContactRoute } from './sessions/contact.ts'
import { sessionCalls } from './sessions/routes.ts'
import { addFileRoutes, fileCalls } from './storage/routes.ts'
import { joinCodeCalls, teamCalls, televisionCalls, wordCalls } from './teams/routes.ts'
import { glassCalls } from './timing/glassRoutes.ts'
import { type Timing, timingCalls } from './timing/routes.ts'

/**
 * Adds all calls, and the routes that send or receive files. `hasGoogle` returns whether people can sign in with Google,
 * once the server listens.
 */
export async function addCalls(
  http: FastifyInstance,
  context: AppContext,
  {
    events,
    official,
    hasGoogle,
  }: { events: TeamEvents; official: Timing; hasGoogle: () => boolean },
) {
  const reads = { ...context, db: context.readDb }
  /** Mounts a topic whose reads have the time limit of `readDb`. */
  function add<Topic extends Record<string, Endpoint>>(
    topic: string,
    endpoints: Topic,
    callsOf: (context: AppContext) => HandlersOf<Topic, Caller>,
  ) {
    const [commands, limited] = [callsOf(context), callsOf(reads)]
    const handlers: HandlersOf<Topic, Caller> = { ...commands }
    for (const name in endpoints)
      if (endpoints[name]?.kind === 'read') handlers[name] = limited[name]
    mount(http, topic, endpoints, handlers, context)
  }
  add('auth', auth, each => authCalls(each, hasGoogle))
  add('passkeys', passkeys, passkeyCalls)
  add('users', users, userCalls)
  add('teams', teams, teamCalls)
  add('joinCodes', joinCodes, joinCodeCalls)
  add('televisions', televisions, televisionCalls)
  add('sessions', sessions, each => ({
    ...sessionCalls(each),
    start: ({ input, caller }) => startSession(each, caller, input),
    startPractice: ({ input, caller }) => startPractice(each, caller.userId, input),
    end: ({ input, caller }) => endSession(each, input.sessionId, caller.userId),
    deletePositions: ({ input, caller }) => deleteSessionPositions(each, input, caller.userId),
  }))
  add('messages', messages, messageCalls)
  add('words', words, wordCalls)
  add('notifications', notifications, each => notificationCalls(each, events))
  add('laps', laps, lapCalls)
  add('circuits', circuits, circuitCalls)
  add('roster', roster, rosterCalls)
  add('carRaces', carRaces, carRaceCalls)
  add('stints', stints, stintCalls)
  add('races', races, raceCalls)
  add('rulePacks', rulePacks, rulePackCalls)
  add('fills', fills, fillCalls)
  add('timing', timing, each => timingCalls(each, official))
  add('glass', glass, glassCalls)
  add('positions', positions, positionCalls)
  add('files', files, fileCalls)
  add('privacy', privacy, privacyCalls)
  await addFileRoutes(http, context)
  addContactRoute(http, context)
  addMessagesCsv(http, reads)
  addCircuitExport(http, reads)
  addExportRoutes(http, reads)
  await addImportRoute(http, context)
  addAccountExport(http, reads)
}
