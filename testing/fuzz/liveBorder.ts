import fc from 'fast-check'
import { Up } from '#contract/live.ts'
import { maxUpBytes } from '#contract/liveRules.ts'
import { fromSchema } from './fromSchema.ts'
import type { FuzzRecord } from './record.ts'
import type { Cast, Who } from './scene.ts'
import { FuzzSocket } from './socket.ts'
import { jsonOf, resolveTokens } from './tokens.ts'
import { hostileValue, mutated } from './values.ts'

const border = 'live'

/** What a connection has done before hostile frames come. */
export type LiveState = 'connected' | 'greeted' | 'watching' | 'driving'

/** Frames of one connection, in order. */
export interface LiveCase {
  who: Exclude<Who, 'nobody'>
  state: LiveState
  frames: unknown[]
}

const valid = fromSchema(Up)

const frame = fc.oneof(
  { weight: 3, arbitrary: valid },
  { weight: 8, arbitrary: mutated(valid) },
  { weight: 1, arbitrary: hostileValue },
)

/** The server closes a connection for these: nothing that follows would be looked at. */
const lastFrame = fc.constantFrom<Raw>(
  { raw: '' },
  { raw: '{"t":"beat"' },
  { raw: 'hello' },
  { raw: `{"t":"watch","room":"${'x'.repeat(5000)}"}` },
  { raw: '[1,2' },
  { binary: '\u0000\u0001' },
  { binary: '' },
)

interface Raw {
  raw?: string
  binary?: string
}

export const liveCase: fc.Arbitrary<LiveCase> = fc
  .record({
    who: fc.constantFrom('anonymous', 'stranger', 'member', 'driver', 'driver'),
    state: fc.constantFrom<LiveState>('connected', 'greeted', 'watching', 'driving', 'driving'),
    frames: fc.array(frame, { minLength: 40, maxLength: 80 }),
    last: fc.option(lastFrame),
  })
  .map(({ who, state, frames, last }) => ({
    who,
    state,
    // Whatever comes first decides over a connection that has not said hello.
    frames: [...(state === 'connected' ? frames.slice(0, 1) : frames), ...(last ? [last] : [])],
  }))

/**
 * Sends a case's frames over a connection of its own, and waits until all were handled. Frames that are too
 * large close it: they are only sent last.
 */
export async function tryLive(url: string, cast: Cast, record: FuzzRecord, each: LiveCase) {
  const { who, state, frames } = each
  const person = cast.people[who]
  const counts = record.of(border)
  const socket = new FuzzSocket(`${url}/live`, { cookie: person.jar.header, origin: url })
  if (!(await socket.opened())) {
    record.violate(border, 'a connection was refused', { who, state })
    return
  }
  const sendNamed = (value: unknown) => socket.send(jsonOf(value, cast.names))
  if (state !== 'connected') sendNamed({ t: 'hello', protocol: Number(cast.names['protocol']) })
  if (state === 'watching') sendNamed({ t: 'watch', room: 'session:<<sessionId>>' })
  if (state === 'driving') sendNamed({ t: 'drive', session: '<<sessionId>>' })
  for (const [n, value] of frames.entries()) {
    sendFrame(socket, value, cast)
    // A team of others goes on meanwhile: nothing of it may reach this connection.
    if (n % 40 === 20) await cast.watcher.drives()
  }
  const own = `user:${person.id}`
  sendNamed({ t: 'watch', room: own })
  await socket.receives(
    'the last answer',
    text => text.includes(own) && /"t":"(snapshot|refused)"/.test(text),
  )
  const refusals = socket.received.filter(text => text.includes('"t":"refused"'))
  const limited = refusals.filter(text => text.includes('"code":"too-many"'))
  const failed = refusals.filter(text => text.includes('"code":"server-error"'))
  // Of frames that were sent to a connection that closed, only those with an answer are known to be tried.
  const tried = socket.isClosed ? refusals.length + 1 : frames.length
  const refused = socket.isClosed ? tried : refusals.length
  counts.tried += tried
  counts.refused += refused
  counts.accepted += tried - refused
  counts.limited += limited.length
  counts.serverErrors += failed.length
  if (failed.length > 0) record.violate(border, `answered ${failed[0]}`, each)
  const leak = socket.received.find(text => learnsOfForeign(text, cast))
  if (leak) record.violate(border, `received of a team of others: ${leak.slice(0, 300)}`, each)
  socket.close()
}

function sendFrame(socket: FuzzSocket, value: unknown, { names }: Cast) {
  const { raw, binary } = (value ?? {}) as Raw
  if (raw !== undefined) return socket.send(resolveTokens(raw, names))
  if (binary !== undefined) return socket.send(Buffer.from(binary))
  const text = jsonOf(value, names)
  // Text that is no frame at all, or is too large, closes the connection: it only comes last.
  if (text !== '' && text.length <= maxUpBytes / 3) socket.send(text)
}

/** A refusal repeats the room that was asked for; nothing else may name the team of others. */
function learnsOfForeign(text: string, { names, secret }: Cast): boolean {
  if (text.includes(secret)) return true
  const { foreignSessionId = '', foreignTeamId = '' } = names
  const isNamed = text.includes(foreignSessionId) || text.includes(foreignTeamId)
  return isNamed && !text.startsWith('{"t":"refused"')
}
