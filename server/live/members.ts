import type { Room } from '#contract/live.ts'
import { CloseCode } from '#contract/liveRules.ts'
import type { Admission } from './admission.ts'
import type { Frame, Framed } from './frame.ts'
import type { Line } from './hub.ts'

/** Over this a line misses fixes; anything that may not be lost cuts it. */
export const backlogLimitBytes = 64 * 1024

/** A line and the rooms it is in. */
export interface Seat {
  readonly line: Line
  rooms: readonly Members[]
}

/** What waits for the end of the tick, and the line that it came from, if it must not hear itself. */
export interface Queued {
  readonly framed: Framed
  readonly from: Line | undefined
}

/** Since the node started. */
export interface Counts {
  deliveries: number
  skippedFixes: number
  cutLines: number
}

// Shared by all rooms where nothing waits, which is nearly all of them: never written to.
const nothing: Queued[] = []

const noAdmissions: readonly Admission[] = []

/** Who is in one room, and what they are about to hear. */
export class Members {
  readonly room: Room
  readonly seats = new Set<Seat>()
  queue = nothing
  /** The newest message version that passed here: repeated with every beat. */
  version = 0
  ended = false
  /** Connections that wait for their snapshot. Most of the time there is none. */
  admissions: readonly Admission[] = noAdmissions

  constructor(room: Room) {
    this.room = room
  }
}

/** Puts an event at the end of a room's queue. Answers whether it is the first there. */
export function enqueue(members: Members, queued: Queued): boolean {
  const isFirst = members.queue.length === 0
  if (isFirst) members.queue = [queued]
  else members.queue.push(queued)
  return isFirst
}

/**
 * Sends all that a room's queue holds: joined once, one write to each line. With a list `held`, a line
 * that is about to hear of another room too is put on hold and noted there.
 */
export function deliver(members: Members, counts: Counts, held?: Line[]) {
  const { queue, seats } = members
  if (queue.length === 0) return
  members.queue = nothing
  for (const admission of members.admissions) admission.hold(queue)
  const senders = sendersIn(queue)
  const forAll = join(queue)
  for (const seat of seats) {
    const { line } = seat
    const heard = senders.includes(line) ? join(queue.filter(({ from }) => from !== line)) : forAll
    if (heard.events === 0) continue
    if (held && seat.rooms.some(hasMore)) {
      line.hold()
      held.push(line)
    }
    hand(line, heard, counts)
  }
}

interface Joined {
  readonly frame: Frame
  readonly events: number
  readonly onlyFixes: boolean
}

function join(queue: readonly Queued[]): Joined {
  const [only] = queue
  const frame =
    only && queue.length === 1
      ? only.framed.frame
      : Buffer.concat(queue.map(({ framed }) => framed.frame))
  return { frame, events: queue.length, onlyFixes: queue.every(isFix) }
}

function hand(line: Line, { frame, events, onlyFixes }: Joined, counts: Counts) {
  if (line.backlogBytes < backlogLimitBytes) {
    counts.deliveries += events
    line.send(frame)
    // An old position is worth nothing: a slow line just misses it. Nothing else may be
    // lost: the line is cut, and catches up from its next snapshot.
  } else if (onlyFixes) counts.skippedFixes += events
  else if (line.isOpen) {
    counts.cutLines += 1
    line.close(CloseCode.tooSlow)
  }
}

const noSenders: readonly Line[] = []

function sendersIn(queue: readonly Queued[]): readonly Line[] {
  let senders: Line[] | undefined
  for (const { from } of queue) {
    if (from && !senders?.includes(from)) (senders ??= []).push(from)
  }
  return senders ?? noSenders
}

function hasMore({ queue }: Members): boolean {
  return queue.length > 0
}

function isFix({ framed }: Queued): boolean {
  return framed.kind === 'fix'
}
