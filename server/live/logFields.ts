import type { SessionId } from '#contract/ids.ts'
import type { Down, Up } from '#contract/live.ts'
import { frameAccess } from '../rights/frameAccess.ts'
import type { BadFrame } from './up.ts'

type AnyFrame = Up | Down | BadFrame

/** Returns the type, ids and versions of a frame as fields for the log: no names, positions or texts. */
export function logFieldsOf(frame: AnyFrame): Record<string, unknown> {
  const sessionId = sessionIn(frame)
  return {
    frame: frame.t,
    ...('room' in frame && { room: frame.room }),
    ...(sessionId !== undefined && { sessionId }),
    ...detailsIn(frame),
  }
}

function sessionIn(frame: AnyFrame): SessionId | undefined {
  if ('s' in frame) return frame.s
  if ('session' in frame && frame.session !== undefined)
    return typeof frame.session === 'string' ? frame.session : frame.session.id
  if ('room' in frame && frame.room?.startsWith('session:'))
    return frame.room.slice('session:'.length)
  return undefined
}

function detailsIn(frame: AnyFrame) {
  if (frame.t === 'hello') return { protocol: frame.protocol, pageId: frame.page }
  if (frame.t === 'message') return { version: frame.message.version }
  if (frame.t === 'receipt')
    return { version: frame.version, ...('stage' in frame && { stage: frame.stage }) }
  // The type of an unknown frame is a text of the client.
  if (frame.t === 'refused')
    return { code: frame.code, ...(Object.hasOwn(frameAccess, frame.re) && { re: frame.re }) }
  return {}
}
