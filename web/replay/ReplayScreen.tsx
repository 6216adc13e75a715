import { useParams } from 'react-router'
import { useSessionCircuit } from '#web/circuits/useSessionCircuit.ts'
import { linkGaps } from '#web/race/linkGaps.ts'
import { SessionBack } from '#web/race/SessionBack.tsx'
import { useDataLinkLog } from '#web/race/useDataLinkLog.ts'
import { replayText } from '#web/text/replay.ts'
import { useGlassLog } from '#web/timing/useGlassLog.ts'
import { Empty } from '#web/ui/Empty.tsx'
import { NotLoaded } from '#web/ui/NotLoaded.tsx'
import { SubPage } from '#web/ui/SubPage.tsx'
import { ReplayView } from './ReplayView.tsx'
import { useReplayData } from './useReplayData.ts'

/** A session driven again: the map, the driver's screen, the speed and the time. */
export function ReplayScreen() {
  const { teamId = '', sessionId = '' } = useParams()
  const { session, span, laps, messages, race } = useReplayData(sessionId)
  const circuit = useSessionCircuit(sessionId)
  const glass = useGlassLog(sessionId)
  const { data: switches } = useDataLinkLog(sessionId)
  const parts = [session, span, laps, messages, { ...race, data: race.race }]
  const failed = parts.find(({ data, error }) => data === undefined && error !== null)
  if (session.data && span.data && laps.data && messages.data && race.race)
    return (
      <ReplayView
        session={session.data}
        span={span.data}
        table={laps.data}
        circuit={circuit ?? null}
        log={messages.data}
        race={race.race}
        // The replay waits neither for the flags nor for the switches of the data link.
        flags={glass.data?.flags ?? []}
        gaps={linkGaps(switches ?? [])}
      />
    )
  const query = {
    error: failed?.error ?? null,
    isFetching: parts.some(({ isFetching }) => isFetching),
    refetch: () => {
      for (const part of parts) if (part.error) void part.refetch()
    },
  }
  return (
    <SubPage
      page={replayText.page}
      backTo={`/teams/${teamId}/${sessionId}/laps`}
      back={session.data ? <SessionBack session={session.data} /> : replayText.back}
      lead=""
    >
      {!failed && span.data === null ? (
        <Empty title={replayText.none}>{replayText.noneText}</Empty>
      ) : (
        <NotLoaded query={query} loading={replayText.loading} failed={replayText.failed} />
      )}
    </SubPage>
  )
}
