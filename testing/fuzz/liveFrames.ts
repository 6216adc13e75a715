import fc from 'fast-check'
import { Up } from '#contract/live.ts'
import { maxUpBytes } from '#contract/shared/liveRules.ts'
import { fromSchema } from './fromSchema.ts'
import type { FuzzRecord } from './record.ts'
import { driveForeign, type FuzzScene, type Who } from './scene.ts'
import { FuzzSocket } from './socket.ts'
import { jsonOf, resolveTokens } from './tokens.ts'
import { hostileValue, mutated } from './values.ts'

const entryPoint = 'live'

/** The state of a connection before its hostile frames. */
export type LiveState = 'connected' | 'greeted' | 'watching' | 'driving'

/** The frames of one connection, in order. */
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

/** Frames after which the server closes the connection and handles no more frames. */
const lastFrame = fc.constantFrom<Raw>(
  { raw: '' },
  { raw: '{"t":"heartbeat"' },
  { raw: 'hello' },
  { raw: `{"t":"subscribe","room":"${'x'.repeat(5000)}"}` },
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
    // Before hello the first frame already closes the connection.
    frames: [...(state === 'connected' ? frames.slice(0, 1) : frames), ...(last ? [last] : [])],
  }))

/**
 * Sends the frames of a case on a new connection and waits until all were handled. Frames that are too large
 * close it and are sent last.
 */
export async function tryLive(url: string, scene: FuzzScene, record: FuzzRecord, each: LiveCase) {
  const { who, state, frames } = each
  const person = scene.people[who]
  const counts = record.of(entryPoint)
  const socket = new FuzzSocket(`${url}/live`, { cookie: person.jar.header, origin: url })
  if (!(await socket.opened())) {
    record.violate(entryPoint, 'a connection was refused', { who, state })
    return
  }
  const sendNamed = (value: unknown) => socket.send(jsonOf(value, scene.names))
  if (state !== 'connected') sendNamed({ t: 'hello', protocol: Number(scene.names['protocol']) })
  if (state === 'watching') sendNamed({ t: 'subscribe', room: 'session:<<sessionId>>' })
  if (state === 'driving') sendNamed({ t: 'drive', session: '<<sessionId>>' })
  for (const [n, value] of frames.entries()) {
    sendFrame(socket, value, scene)
    // The foreign team publishes events in between, which must not reach this connection.
    if (n % 40 === 20) await driveForeign(scene)
  }
  const own = `user:${person.id}`
  sendNamed({ t: 'subscribe', room: own })
  await socket.receives(
    'the response to the last frame',
    text => text.includes(own) && /"t":"(snapshot|refused)"/.test(text),
  )
  const refusals = socket.received.filter(text => text.includes('"t":"refused"'))
  const limited = refusals.filter(text => text.includes('"code":"too-many"'))
  const failed = refusals.filter(text => text.includes('"code":"server-error"'))
  // On a closed connection only frames with a response are known to have been handled.
  const tried = socket.isClosed ? refusals.length + 1 : frames.length
  const refused = socket.isClosed ? tried : refusals.length
  counts.tried += tried
  counts.refused += refused
  counts.accepted += tried - refused
  counts.limited += limited.length
  counts.serverErrors += failed.length
  if (failed.length > 0) record.violate(entryPoint, `responded ${failed[0]}`, each)
  const leak = socket.received.find(text => learnsOfForeign(text, scene))
  if (leak) record.violate(entryPoint, `leaked data of a foreign team: ${leak.slice(0, 300)}`, each)
  socket.close()
}

function sendFrame(socket: FuzzSocket, value: unknown, { names }: FuzzScene) {
  const { raw, binary } = (value ?? {}) as Raw
  if (raw !== undefined) return socket.send(resolveTokens(raw, names))
  if (binary !== undefined) return socket.send(Buffer.from(binary))
  const text = jsonOf(value, names)
  // Empty or too large text would close the connection, so it is skipped here.
  if (text !== '' && text.length <= maxUpBytes / 3) socket.send(text)
}

/** Whether a frame leaks data of the foreign team. A refusal may repeat the requested room. */
function learnsOfForeign(text: string, { names, secret }: FuzzScene): boolean {
  if (text.includes(secret)) return true
  const { foreignSessionId, foreignTeamId } = names
  const isNamed = text.includes(foreignSessionId) || text.includes(foreignTeamId)
  return isNamed && !text.startsWith('{"t":"refused"')
}
