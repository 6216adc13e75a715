import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Kysely } from 'kysely'
import { z } from 'zod'
import { type EpochMs, SessionId, type UserId } from '#contract/ids.ts'
import type { Lap } from '#contract/laps.ts'
import { Refusal } from '#contract/refusal.ts'
import type { Session } from '#contract/sessions.ts'
import { type CarRace, carRaceOf } from '#racing/race/carRace.ts'
import { stintNumbers } from '#racing/race/carStints.ts'
import { stintOfLap } from '#racing/race/stintOfLap.ts'
import { versionOf } from '../circuits/storedCircuits.ts'
import type { AppContext } from '../context.ts'
import type { Tables } from '../db/schema/tables.ts'
import { storedLaps } from '../laps/storedLaps.ts'
import { type NamedDrivers, namedDrivers } from '../races/namedDrivers.ts'
import { carRaceForReader } from '../races/storedCarRace.ts'
import { OpenCounts } from '../rateLimit/openCounts.ts'
import { requireLogin } from '../rights/access.ts'
import { refusePractice } from '../rights/requireSession.ts'
import { sessionForReader } from '../sessions/sessions.ts'
import { type ExportedLap, lapsCsv } from './lapsCsv.ts'
import { type ExportFormat, formats, positionFile } from './positionFile.ts'

/** Files of positions that a user may download at once from one node: each keeps a page of rows in memory. */
export const exportsAtOnce = 2

const Query = z.object({ lap: z.coerce.number().int().min(0).max(100_000).optional() })

interface Route {
  Params: { sessionId: string }
  Querystring: z.output<typeof Query>
}

type ExportContext = Pick<AppContext, 'db' | 'recorder' | 'authenticate' | 'clock'>

/** Serves the positions and laps of a session, or of one lap, as files. */
export function addExportRoutes(app: FastifyInstance, context: ExportContext) {
  const running = new OpenCounts()
  for (const name of Object.keys(formats) as ExportFormat[]) {
    app.route<Route>({
      ...routeOf(name, 'positions'),
      handler: async (request, reply) => {
        const { session, userId, laps, lap } = await authorizeExport(context, request)
        const circuit = session.lapTiming ? await circuitOf(context, session) : null
        const drivers = await namedDrivers(context.db, session)
        if (!running.tryAdd([{ key: userId, limit: exportsAtOnce }])) throw new Refusal('too-many')
        const exported = {
          ...session,
          title: session.name,
          driver: lap ? drivers.ofLap(lap) : drivers.all,
          driverAt: drivers.at,
          laps,
          circuit,
        }
        // The rows are read only as fast as the client receives them.
        const content = Readable.from(positionFile(context.db, exported, { format: name, lap }))
        // A stream also closes when the client disconnects.
        content.once('close', () => running.remove([userId]))
        return attachment(reply, { session, lap, name, type: formats[name].type }).send(content)
      },
    })
  }
  app.route<Route>({
    ...routeOf('laps.csv', "laps of the car's race"),
    handler: async (request, reply) => {
      const { db, clock } = context
      const authorized = await authorizeExport(context, request)
      const { session, lap } = authorized
      const drivers = await namedDrivers(db, session)
      const laps = await exportedLaps(db, authorized, { drivers, nowMs: clock.now() })
      const type = 'text/csv; charset=utf-8'
      return attachment(reply, { session, lap, name: 'laps.csv', type }).send(lapsCsv(laps))
    },
  })
}

function routeOf(name: string, content: string) {
  return {
    method: 'GET' as const,
    url: `/api/v1/sessions/:sessionId/${name}`,
    config: { limit: 'costly' as const },
    schema: {
      operationId: `recordings.${name}`,
      tags: ['positions'],
      summary: `The ${content} of a session, or one lap, as a file. Only for members of its team.`,
      security: [{ login: [] }, { device: [] }],
      params: z.object({ sessionId: SessionId }),
      querystring: Query,
    },
  }
}

/** Returns the session of a request, its laps and the lap that it names. Refuses all but members of its team. */
async function authorizeExport(context: ExportContext, request: FastifyRequest<Route>) {
  const { db, recorder } = context
  const { userId } = requireLogin(await context.authenticate(request), {
    auth: 'any-login',
    scopes: ['read'],
  })
  const session = await sessionForReader(db, recorder, request.params.sessionId, userId)
  refusePractice(session)
  const laps = session.lapTiming ? await storedLaps(db, session.id) : []
  const { lap: number } = request.query
  const lap = laps.find(each => each.number === number) ?? null
  if (number !== undefined && !lap) throw new Refusal('not-found')
  return { session, userId, laps, lap }
}

/** Returns the version of the circuit that timed the session. */
async function circuitOf({ db }: ExportContext, { id, teamId }: Session) {
  const row = await db
    .selectFrom('sessions')
    .select(['circuit_id as circuitId', 'circuit_version as version'])
    .where('id', '=', id)
    .executeTakeFirst()
  const { circuitId = null, version = null } = row ?? {}
  return circuitId === null || version === null
    ? null
    : versionOf(db, { teamId, circuitId, version })
}

interface Attachment {
  session: Session
  lap: Lap | null
  name: string
  type: string
}

function attachment(reply: FastifyReply, { session, lap, name, type }: Attachment): FastifyReply {
  const file = fileName({ title: session.name, startedAt: session.startedAt, lap, name })
  return reply
    .type(type)
    .header('content-disposition', `attachment; filename="${file}"`)
    .header('cache-control', 'no-store')
}

interface Named {
  title: string
  startedAt: EpochMs
  lap: Pick<Lap, 'number'> | null
  /** The last part, with the ending. */
  name: string
}

const maxTitleLetters = 40

/**
 * Returns the name of an exported file: the session's name, day (UTC), lap and content. It has ASCII letters, digits
 * and hyphens only, so that no header and no file system can misread it.
 */
function fileName({ title, startedAt, lap, name }: Named): string {
  const plain = title
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[^A-Za-z0-9]+/g, '-')
    .slice(0, maxTitleLetters)
    .replace(/^-+|-+$/g, '')
  const day = new Date(startedAt).toISOString().slice(0, 10)
  return [plain, day, lap && `lap-${lap.number}`, name].filter(Boolean).join('-')
}

/**
 * Returns the laps of the race of a session's car in one sequence, with their numbers in the race, or the one that
 * ended with a lap of the session. A lap of a phone that was not in the car then has its number in the session.
 */
async function exportedLaps(
  db: Kysely<Tables>,
  { session, userId, lap }: { session: Session; userId: UserId; lap: Lap | null },
  { drivers, nowMs }: { drivers: NamedDrivers; nowMs: EpochMs },
): Promise<ExportedLap[]> {
  const stored = await carRaceForReader(db, { sessionId: session.id, userId }, nowMs)
  const carRace = carRaceOf(stored)
  const numbers = stintNumbers(carRace, nowMs)
  const known = new Map<string, Lap>()
  for (const { sessionId, laps } of stored.phones)
    if (laps.length > 0)
      for (const each of await storedLaps(db, sessionId)) known.set(keyOf(sessionId, each), each)
  const named = (each: CarRace['laps'][number]): ExportedLap => {
    const seen = known.get(keyOf(each.sessionId, each))
    return {
      ...each,
      plusMinusMs: seen?.timeMs === each.timeMs ? seen.plusMinusMs : null,
      driver: drivers.ofLap(each),
      stint: numbers.get(stintOfLap(each, stored.stints)?.id ?? ''),
      session: stored.phones.find(({ sessionId }) => sessionId === each.sessionId)?.name ?? '',
    }
  }
  const all = carRace.laps
  if (!lap) return all.map(named)
  const key = keyOf(session.id, lap)
  const inCar = all.find(each => keyOf(each.sessionId, each) === key)
  return [named(inCar ?? { ...lap, sessionId: session.id })]
}

/** Identifies a lap by the phone that saw its end, and when. */
function keyOf(sessionId: string, { startedAt, timeMs }: Pick<Lap, 'startedAt' | 'timeMs'>) {
  return `${sessionId} ${Math.round(startedAt + timeMs)}`
}
