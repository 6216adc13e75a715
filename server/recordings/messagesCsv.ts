import { Readable } from 'node:stream'
import { stringify } from 'csv-stringify/sync'
import type { FastifyInstance } from 'fastify'
import type { Kysely } from 'kysely'
import { z } from 'zod'
import { type EpochMs, SessionId } from '#contract/ids.ts'
import type { LoggedMessage } from '#contract/messages.ts'
import type { AppContext } from '../context.ts'
import type { Tables } from '../db/schema/tables.ts'
import { withoutFormulas } from '../http/withoutFormulas.ts'
import { messageLog } from '../messages/log.ts'
import { type NamedDrivers, namedDrivers } from '../races/namedDrivers.ts'
import { requireLogin } from '../rights/access.ts'
import { refusePractice } from '../rights/requireSession.ts'
import { sessionForReader } from '../sessions/sessions.ts'

/** Rows read from the database at once. */
const rowsPerPage = 500

/** Serves a session's message log as a CSV file. */
export function addMessagesCsv(app: FastifyInstance, context: AppContext) {
  app.route<{ Params: { sessionId: string } }>({
    method: 'GET',
    url: '/api/v1/sessions/:sessionId/messages.csv',
    config: { limit: 'costly' },
    schema: {
      operationId: 'messages.csv',
      tags: ['messages'],
      summary: "A session's messages as CSV, newest first. Only for members of its team.",
      security: [{ login: [] }, { device: [] }],
      params: z.object({ sessionId: SessionId }),
    },
    handler: async (request, reply) => {
      const caller = requireLogin(await context.authenticate(request), {
        auth: 'any-login',
        scopes: ['read'],
      })
      const { sessionId } = request.params
      const session = await sessionForReader(context.db, context.recorder, sessionId, caller.userId)
      refusePractice(session)
      // Read before the response begins, so that an error still gets its status code.
      const first = await messageLog(context.db, { sessionId, limit: rowsPerPage })
      const drivers = await namedDrivers(context.db, session)
      return reply
        .type('text/csv; charset=utf-8')
        .header('content-disposition', 'attachment; filename="messages.csv"')
        .header('cache-control', 'no-store')
        .send(Readable.from(csvPages(context.db, { sessionId, first, drivers })))
    },
  })
}

/** Yields the whole log, with one page in memory at a time. */
async function* csvPages(
  db: Kysely<Tables>,
  {
    sessionId,
    first,
    drivers,
  }: { sessionId: SessionId; first: readonly LoggedMessage[]; drivers: Drivers },
): AsyncGenerator<string> {
  yield csvOf(first, drivers)
  let page = first
  while (page.length === rowsPerPage) {
    page = await messageLog(db, { sessionId, before: page.at(-1)?.version, limit: rowsPerPage })
    yield rowsOf(page, drivers)
  }
}

/** Names the driver at the time of a message. Before the first message, that is the driver at the session start. */
type Drivers = Pick<NamedDrivers, 'at'>
const nobody: Drivers = { at: () => '' }

const columns = [
  'version',
  'message',
  'sent by',
  'pressed',
  'sent',
  'reached',
  'shown',
  'acknowledged',
  'driver',
  'tap to shown s',
  'asked',
  'answers',
  'answered',
  'carried over',
  'got it',
  'got it by',
  'by plan',
]

/** Formats a log by RFC 4180, with a header line. Times are ISO 8601 in UTC. */
export function csvOf(log: readonly LoggedMessage[], drivers: Drivers = nobody): string {
  return rowsOf(log, drivers, true)
}

function rowsOf(log: readonly LoggedMessage[], drivers: Drivers, header = false): string {
  const rows = log.map(each => [
    each.version,
    each.type ?? (each.version === 0 ? '' : 'CLEAR'),
    nameOf(each),
    iso(each.pressedAt),
    iso(each.sentAt),
    iso(each.reachedAt),
    iso(each.shownAt),
    iso(each.copiedAt),
    drivers.at(each.sentAt ?? 0),
    tapToShownS(each),
    each.ask ? 'yes' : '',
    each.answers?.map(({ kind }) => kind).join(' '),
    each.answers?.map(({ at }) => iso(at)).join(' '),
    each.carriedOver ? 'yes' : '',
    gotIt(each)
      .map(({ at }) => iso(at))
      .join(' '),
    gotIt(each)
      .map(({ by }) => by ?? '')
      .join(' '),
    each.byPlan ? 'yes' : '',
  ])
  return stringify(rows, {
    header,
    columns,
    record_delimiter: 'windows',
    // Off by default once a record delimiter is set: a line break in a name would then split its row.
    quote_record_delimiter: true,
    cast: { string: withoutFormulas },
  })
}

/** Returns who got the reported problems, and when. */
function gotIt({ answers = [] }: LoggedMessage) {
  return answers.flatMap(answer => answer.gotIt ?? [])
}

/** A carried message was on another phone before: the time until this one showed it is that of the swap. */
function tapToShownS({ shownAt, pressedAt, carriedOver }: LoggedMessage): string | null {
  if (shownAt === null || pressedAt === null || carriedOver) return null
  return ((shownAt - pressedAt) / 1000).toFixed(2)
}

function nameOf({ sentBy, obeyed }: LoggedMessage): string {
  if (obeyed) return 'Obeyed'
  const { firstName, lastName, email } = sentBy ?? { firstName: null, lastName: null, email: null }
  return [firstName, lastName].filter(Boolean).join(' ') || (email ?? '')
}

function iso(at: EpochMs | null): string | null {
  return at === null ? null : new Date(at).toISOString()
}
