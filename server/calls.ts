import type { FastifyInstance } from 'fastify'
import { type Api, api } from '#contract/api.ts'
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
  function add<Topic extends keyof Api>(
    topic: Topic,
    callsOf: (context: AppContext) => HandlersOf<Api[Topic], Caller>,
  ) {
    mount(http, topic, api[topic], callsOf(context), context, callsOf(reads))
  }
  add('auth', each => authCalls(each, hasGoogle))
  add('passkeys', passkeyCalls)
  add('users', userCalls)
  add('teams', teamCalls)
  add('joinCodes', joinCodeCalls)
  add('televisions', televisionCalls)
  add('sessions', each => ({
    ...sessionCalls(each),
    start: ({ input, caller }) => startSession(each, caller, input),
    startPractice: ({ input, caller }) => startPractice(each, caller.userId, input),
    end: ({ input, caller }) => endSession(each, input.sessionId, caller.userId),
    deletePositions: ({ input, caller }) => deleteSessionPositions(each, input, caller.userId),
  }))
  add('messages', messageCalls)
  add('words', wordCalls)
  add('notifications', each => notificationCalls(each, events))
  add('laps', lapCalls)
  add('circuits', circuitCalls)
  add('roster', rosterCalls)
  add('carRaces', carRaceCalls)
  add('stints', stintCalls)
  add('races', raceCalls)
  add('rulePacks', rulePackCalls)
  add('fills', fillCalls)
  add('timing', each => timingCalls(each, official))
  add('glass', glassCalls)
  add('positions', positionCalls)
  add('files', fileCalls)
  add('privacy', privacyCalls)
  await addFileRoutes(http, context)
  addContactRoute(http, context)
  addMessagesCsv(http, reads)
  addCircuitExport(http, reads)
  addExportRoutes(http, reads)
  await addImportRoute(http, context)
  addAccountExport(http, reads)
}
