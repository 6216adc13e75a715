import { useParams } from 'react-router'
import { refusalText } from '#web/api/refusalText.ts'
import { useSessionCircuit } from '#web/circuits/useSessionCircuit.ts'
import { replayText } from '#web/text/replay.ts'
import { BackLink, Bar } from '#web/ui/Bar.tsx'
import { Empty } from '#web/ui/Empty.tsx'
import { LoadFailed } from '#web/ui/LoadFailed.tsx'
import { PageHead } from '#web/ui/PageHead.tsx'
import { SkeletonRows } from '#web/ui/Skeleton.tsx'
import { usePageTitle } from '#web/ui/usePageTitle.ts'
import { Wrap } from '#web/ui/Wrap.tsx'
import { ReplayView } from './ReplayView.tsx'
import { useReplayData } from './useReplayData.ts'

/** A session driven again: the map, the driver's screen, the speed and the time. */
export function ReplayScreen() {
  usePageTitle(replayText.page)
  const { teamId = '', sessionId = '' } = useParams()
  const { session, span, laps, messages, race } = useReplayData(sessionId)
  const circuit = useSessionCircuit(sessionId)
  const back = `/teams/${teamId}/${sessionId}/laps`
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
      />
    )
  return (
    <>
      <Bar>
        <BackLink to={back}>{session.data?.name ?? replayText.back}</BackLink>
      </Bar>
      <Wrap>
        <PageHead title={replayText.page} />
        {failed ? (
          <LoadFailed
            title={replayText.failed}
            message={refusalText(failed.error)}
            retryLabel={replayText.tryAgain}
            retrying={parts.some(({ isFetching }) => isFetching)}
            onRetry={() => {
              for (const part of parts) if (part.error) void part.refetch()
            }}
          />
        ) : span.data === null ? (
          <Empty title={replayText.none} figures>
            {replayText.noneText}
          </Empty>
        ) : (
          <SkeletonRows label={replayText.loading} />
        )}
      </Wrap>
    </>
  )
}
