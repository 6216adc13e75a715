import { useQuery } from '@tanstack/react-query'
import { useParams } from 'react-router'
import { silentFeedMs } from '#contract/shared/timingRules.ts'
import type { OfficialTiming } from '#contract/timing.ts'
import { useIsViewer } from '#web/api/useIsViewer.ts'
import { useDeviceSecond } from '#web/live/useSecond.ts'
import { carsOf } from '#web/race/plan/carsOf.ts'
import { useRaces } from '#web/race/racesQuery.ts'
import { useRoster } from '#web/race/rosterQuery.ts'
import { planText } from '#web/text/plan.ts'
import { timingText } from '#web/text/timing.ts'
import { Button } from '#web/ui/Button.tsx'
import { NotLoaded } from '#web/ui/NotLoaded.tsx'
import { SubPage } from '#web/ui/SubPage.tsx'
import typography from '#web/ui/theme/typography.module.css'
import { FollowClock } from './FollowClock.tsx'
import { clockText, lineAgeText } from './figures.ts'
import { GhostedStandings, type RaceTimingProps } from './GhostedStandings.tsx'
import { HandState } from './HandState.tsx'
import { OfficialFlag } from './OfficialFlag.tsx'
import { OurCars } from './OurCars.tsx'
import { ResultsFile } from './ResultsFile.tsx'
import { SourceForm } from './SourceForm.tsx'
import styles from './TimingScreen.module.css'
import { timingQuery } from './timingQuery.ts'
import { officialState } from './useOfficialTiming.ts'
import { type Recording, useRecording } from './useRecording.ts'

/** The official timing of a race: flag, clock, order and gaps, and the source that they come from. */
export function TimingScreen() {
  const { teamId = '', raceId = '' } = useParams()
  const mayChange = !useIsViewer(teamId)
  const race = useRaces(teamId).data?.find(({ id }) => id === raceId)
  const { data: roster } = useRoster(teamId)
  const query = useQuery(timingQuery(raceId))
  const cars = race && roster ? carsOf(race, roster.cars) : []
  const recording = useRecording(raceId)
  return (
    <SubPage
      wide
      page={timingText.page}
      sub={timingText.text}
      backTo={`/teams/${teamId}/races/${raceId}`}
      back={race?.name ?? planText.races}
    >
      {query.data ? (
        <div className={styles.columns}>
          <ShownTiming
            teamId={teamId}
            raceId={raceId}
            race={race}
            timing={query.data}
            cars={cars}
            answeredAt={query.dataUpdatedAt}
            isOffline={query.isError}
            mayChange={mayChange}
          />
          {mayChange && (
            <div className={styles.main}>
              <RecordingState recording={recording} />
              <SourceForm
                // Another person may have chosen one.
                key={JSON.stringify(query.data.source)}
                raceId={raceId}
                source={query.data.source}
                lacksToken={query.data.failure === 'no-token'}
                recording={recording}
              />
              <ResultsFile {...{ teamId, raceId, cars }} />
            </div>
          )}
        </div>
      ) : (
        <NotLoaded query={query} loading={timingText.loading} failed={timingText.failed} />
      )}
    </SubPage>
  )
}

/** How much of a recorded file this page has played, or why it has stopped. */
function RecordingState({ recording: { progress, error, stop } }: { recording: Recording }) {
  if (progress !== null)
    return (
      <div className={styles.playing}>
        <output>{timingText.playing(Math.floor(progress * 100))}</output>
        <Button variant="quiet" narrow onClick={stop}>
          {timingText.stopPlaying}
        </Button>
      </div>
    )
  if (error === null) return null
  return (
    <p className={styles.warning} role="alert">
      {timingText.notPlayed} {error}
    </p>
  )
}

/** The state of the feed, the team's cars and the whole order. */
function ShownTiming(props: RaceTimingProps) {
  const { raceId, race, timing, cars, answeredAt, isOffline, mayChange } = props
  const state = officialState(timing, answeredAt, useDeviceSecond())
  const own = cars.map(({ number }) => number)
  return (
    <div className={styles.main}>
      <FeedState {...{ timing, own, answeredAt, isOffline }} />
      {mayChange && race && !isOffline && <FollowClock {...{ race, state }} />}
      <OurCars {...{ raceId, cars, state }} mayEnter={mayChange} />
      <GhostedStandings {...props} />
    </div>
  )
}

interface Props {
  timing: OfficialTiming
  /** Numbers of the team's cars in the race. */
  own: readonly string[]
  /** Time of the newest response, on this device's clock. */
  answeredAt: number
  /** True if the newest request failed. */
  isOffline: boolean
}

/** The flag, the clock and the connection state of the feed. A flag that is not current is grey, never green. */
function FeedState({ timing, own, answeredAt, isOffline }: Props) {
  const nowMs = useDeviceSecond()
  const state = officialState(timing, answeredAt, nowMs)
  const { isCurrent } = state
  const { run, skippedLines } = timing
  const silentForMs =
    timing.silentForMs === null ? null : timing.silentForMs + Math.max(0, nowMs - answeredAt)
  const [title, text] = isOffline
    ? [timingText.notConnected, timingText.noAnswer]
    : stateOf({ ...timing, silentForMs })
  const missing = own.filter(
    number => !run?.standings.some(each => each.number === number && !each.entered),
  )
  return (
    <>
      {run && (
        <div className={styles.flagRow}>
          <OfficialFlag state={state} size="page" />
          {isCurrent && (run.lapsToGo !== null || run.timeToGoMs !== null) && (
            <p className={styles.clock}>
              <b>
                {run.lapsToGo !== null
                  ? timingText.laps(run.lapsToGo)
                  : clockText(run.timeToGoMs ?? 0)}
              </b>{' '}
              {timingText.toGo}
            </p>
          )}
        </div>
      )}
      <output
        className={styles.state}
        data-good={(isCurrent && !isOffline && !state.isRecorded) || undefined}
      >
        <b>{title}</b>
        <span>{text}</span>
        {skippedLines > 0 && <span>{timingText.unreadable(skippedLines)}</span>}
      </output>
      <HandState run={run} answeredAt={answeredAt} number={null} />
      {isCurrent && !run && <p className={typography.sub}>{timingText.noRun}</p>}
      {isCurrent && run && run.standings.length > 0 && missing.length > 0 && (
        <p className={styles.warning}>{timingText.notOurs(missing.join(', '))}</p>
      )}
    </>
  )
}

/** Returns the state of the source, and what to do. */
function stateOf({ source, failure, silentForMs, run }: OfficialTiming): [string, string] {
  if (source === null)
    return run ? [timingText.byHand, timingText.byHandText] : [timingText.none, timingText.noneText]
  if (failure !== null) return [timingText.notConnected, timingText.failures[failure]]
  if (silentForMs === null) return [timingText.waiting, timingText.waitingText]
  const age = lineAgeText(silentForMs)
  if (source.kind === 'recorded') return [timingText.recorded, timingText.recordedText(age)]
  return silentForMs > silentFeedMs
    ? [timingText.silent, timingText.silentText(age)]
    : [
        timingText.connected,
        timingText.lastLine(age, run?.standings.filter(car => !car.entered).length ?? 0),
      ]
}
