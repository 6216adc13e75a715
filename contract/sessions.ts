import { z } from 'zod'
import { command, read } from './endpoint.ts'
import { EpochMs, SessionId, TeamId } from './ids.ts'
import { Message } from './messages.ts'
import { LineOfText } from './text.ts'
import { Person } from './users.ts'

export const SessionName = LineOfText

/** A race session, from go to flag, with the last that is known of its car. */
export const Session = z.object({
  id: SessionId,
  teamId: TeamId,
  name: z.string(),
  status: z.enum(['Active', 'Complete']),
  driver: Person,
  startedAt: EpochMs,
  message: Message,
  speedKmh: z.int().nullable(),
  latitude: z.number().nullable(),
  longitude: z.number().nullable(),
  /** The server's time of the last frame from the driver's phone. */
  lastDriverContactAt: EpochMs.nullable(),
})
export type Session = z.infer<typeof Session>

const ofSession = z.object({ sessionId: SessionId })

export const sessions = {
  start: command({
    auth: 'signed-in',
    summary: 'Starts a race session with oneself as the driver.',
    input: z.object({ teamId: TeamId, name: SessionName }),
    output: Session,
  }),
  get: read({ auth: 'signed-in', summary: 'One session.', input: ofSession, output: Session }),
  listActive: read({
    auth: 'signed-in',
    summary: "The team's active sessions, newest first.",
    input: z.object({ teamId: TeamId }),
    output: z.array(Session),
  }),
  end: command({
    auth: 'signed-in',
    summary: 'Ends a session. Only its driver can. Ending it again changes nothing.',
    input: ofSession,
    output: Session,
  }),
}
