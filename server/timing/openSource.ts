import type { LookupFunction } from 'node:net'
import type { Clock } from '#contract/shared/clock.ts'
import type { TimingFailure } from '#contract/shared/timingRules.ts'

/** Marks that a source repeats everything to a new connection, before its first line. */
export const newConnection = Buffer.from('$I,"",""\n')

/** The reports of an open source to its owner. */
export interface SourceEvents {
  /** The source accepted the connection: the lines that it sends next are current. */
  connected(): void
  /** Bytes with lines, in their order. */
  data(data: Uint8Array): void
  /** The last report. Called once, also after `close`. The source wants no connection before `pauseMs` have passed. */
  closed(failure: TimingFailure, pauseMs?: number): void
}

/** A source that is connected to, or that is about to be. */
export interface OpenSource {
  /** Stops reading until `resume`, while received lines are stored. */
  pause(): void
  resume(): void
  close(): void
}

/** The services that sources need. */
export interface SourceContext {
  clock: Clock
  /** Returns how the name of a host is looked up; null if it may not be connected to. */
  lookupOf(host: string, port: number): LookupFunction | undefined | null
}
