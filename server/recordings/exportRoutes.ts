import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { type EpochMs, SessionId } from '#contract/ids.ts'
import type { Lap } from '#contract/laps.ts'
import { Refusal } from '#contract/refusal.ts'
import type { Session } from '#contract/sessions.ts'
import { versionOf } from '../circuits/storedCircuits.ts'
import type { AppContext } from '../context.ts'
import { storedLaps } from '../laps/storedLaps.ts'
import { namedDrivers } from '../races/namedDrivers.ts'
import { OpenCounts } from '../rateLimit/openCounts.ts'
import { requireLogin } from '../rights/access.ts'
import { refusePractice } from '../rights/requireSession.ts'
import { sessionForReader } from '../sessions/sessions.ts'
import { exportedLaps } from './exportedLaps.ts'
import { lapsCsv } from './lapsCsv.ts'
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
