import { useQuery, useQueryClient } from '@tanstack/react-query'
import { silentFeedMs } from '#contract/shared/timingRules.ts'
import type { OfficialTiming } from '#contract/timing.ts'
import { useRoom } from '#web/live/useLive.ts'
import { useDeviceSecond } from '#web/live/useSecond.ts'
import type { CarRace } from '#web/race/shownCarRace.ts'
import { timingQuery } from './timingQuery.ts'
import { isNewOnGlass } from './useGlassLog.ts'

/** The official timing of a race, from the newest response. */
export interface OfficialState {
  readonly run: OfficialTiming['run']
  /** False while the source is not connected or is silent, or responses are late. */
  readonly isCurrent: boolean
  /** True if the source cannot be reached, or refuses. */
  readonly isFailed: boolean
  /** Time since the newest line; null before the first one. */
  readonly silentMs: number | null
  /** False also while lines arrive without a flag, such as after a reconnection: an older flag may have changed. */
  readonly isFlagCurrent: boolean
  /** False if only places were entered by hand, without a source: there is no flag to show, and none that is missing. */
  readonly hasFlag: boolean
  /** The race clock follows race control's. */
  readonly followsClock: boolean
  /** True while a recorded file is played: it is not live, and a driver never sees it. */
  readonly isRecorded: boolean
  /** Time since the response: what was entered by hand is older by it. */
  readonly lateMs: number
}

/** Returns the official timing of the race of a car; null without a source, and before the first response. */
export function useOfficialTiming(race: CarRace | undefined): OfficialState | null {
  const nowMs = useDeviceSecond()
  const raceId = race?.officialTiming ? race.race?.id : undefined
  const { data, dataUpdatedAt } = useQuery({
    ...timingQuery(raceId ?? ''),
    enabled: raceId !== undefined,
  })
  const client = useQueryClient()
  const phone = race?.phones.findLast(({ endedAt }) => endedAt === null)?.sessionId
  // The driver sees a new flag before the next poll, and its receipt must not be beside the old one.
  useRoom(raceId !== undefined && phone ? `session:${phone}` : null, frame => {
    if (raceId === undefined || !isNewOnGlass(frame)) return
    void client.invalidateQueries({ queryKey: timingQuery(raceId).queryKey })
  })
  if (raceId === undefined || !data) return null
  return officialState(data, dataUpdatedAt, nowMs)
}

/** `answeredAt` is the time of the response, by the same clock as `nowMs`. */
export function officialState(
  { source, failure, followsClock, run, silentForMs }: OfficialTiming,
  answeredAt: number,
  nowMs: number,
): OfficialState {
  const lateMs = Math.max(0, nowMs - answeredAt)
  const isRecent = (ageMs: number | null) => ageMs !== null && ageMs + lateMs <= silentFeedMs
  const isCurrent = failure === null && isRecent(silentForMs)
  const isFlagCurrent = isCurrent && isRecent(run?.flagSilentForMs ?? null)
  const isRecorded = source?.kind === 'recorded'
  const isFailed = failure !== null
  const silentMs = silentForMs === null ? null : silentForMs + lateMs
  const hasFlag = source !== null || run?.flagEntered !== undefined
  const ofSource = { isFailed, silentMs, isCurrent, isFlagCurrent, hasFlag, followsClock }
  return { run, ...ofSource, isRecorded, lateMs }
}
