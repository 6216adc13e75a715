import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useNavigate, useParams, useSearchParams } from 'react-router'
import type { Race } from '#contract/races.ts'
import { raceClock, raceTimes } from '#racing/race/raceClock.ts'
import { ProfileMenu } from '#web/account/ProfileMenu.tsx'
import { teamQuery } from '#web/api/queries.ts'
import { queryOf } from '#web/api/queryOf.ts'
import { refusalText } from '#web/api/refusalText.ts'
import { useIsViewer } from '#web/api/useIsViewer.ts'
import { MissingFuel } from '#web/race/MissingFuel.tsx'
import { RaceDialog } from '#web/race/RaceDialog.tsx'
import { useRaces } from '#web/race/racesQuery.ts'
import { useRoster } from '#web/race/rosterQuery.ts'
import { startReason } from '#web/race/startReason.ts'
import { hoursAndMinutes } from '#web/race/timeOfDay.ts'
import { appText } from '#web/text/app.ts'
import { planText } from '#web/text/plan.ts'
import { teamsText } from '#web/text/teams.ts'
import { timingText } from '#web/text/timing.ts'
import { BackLink, Bar, BarGap } from '#web/ui/Bar.tsx'
import { Button } from '#web/ui/Button.tsx'
import { LinkButton } from '#web/ui/LinkButton.tsx'
import { LoadFailed } from '#web/ui/LoadFailed.tsx'
import { PageHead } from '#web/ui/PageHead.tsx'
import { SkeletonRows } from '#web/ui/Skeleton.tsx'
import typography from '#web/ui/theme/typography.module.css'
import { usePageTitle } from '#web/ui/usePageTitle.ts'
import { Wrap } from '#web/ui/Wrap.tsx'
import { carsOf } from './carsOf.ts'
import type { Draft } from './draft.ts'
import { PlanOfCar } from './PlanOfCar.tsx'
import { lastRace, proposedDraft } from './proposedRace.ts'
import { RaceQuestions } from './RaceQuestions.tsx'
import { RaceResult } from './RaceResult.tsx'
import styles from './RaceScreen.module.css'
import { raceSpan } from './raceSpan.ts'
import { useCarsOfRace, useRaceOfCar } from './useRaceOfCar.ts'
import { useSaveRace } from './useSaveRace.ts'
import { rulesId } from './WhichRules.tsx'

/** A race of the team: three questions and the plan that follows from them, before, while and after it runs. */
export function RaceScreen() {
  const { teamId = '', raceId = '' } = useParams()
  const { data: team } = useQuery(teamQuery(teamId))
  const races = useRaces(teamId)
  const isNew = raceId === 'new'
  // Made once: a repeated request adds the same race.
  const [newId] = useState(() => crypto.randomUUID())
  const id = isNew ? newId : raceId
  const listed = races.data?.find(each => each.id === id)
  const { race: carRace } = useRaceOfCar(teamId, {
    raceId: races.data && !isNew && !listed ? id : null,
    carId: null,
  })
  // An older race than those that are listed.
  const race = listed ?? carRace?.race ?? undefined
  usePageTitle(race?.name ?? planText.newRace)
  return (
    <>
      <Bar>
        <BackLink to={`/teams/${teamId}`} lead={appText.backTo}>
          {team?.name ?? teamsText.page}
        </BackLink>
        <BarGap />
        <ProfileMenu />
      </Bar>
      <Wrap wide>
        {races.data && (race || isNew) ? (
          <RaceView
            // Typed text stays when a new race is saved.
            key={id}
            teamId={teamId}
            raceId={id}
            race={race}
            races={races.data}
            isNew={isNew}
          />
        ) : races.error || races.data ? (
          <LoadFailed
            title={planText.failed}
            message={races.error ? refusalText(races.error) : planText.notFound}
            retrying={races.isFetching}
            onRetry={() => void races.refetch()}
          />
        ) : (
          <SkeletonRows label={planText.loading} />
        )}
      </Wrap>
    </>
  )
}

interface ViewProps {
  teamId: string
  raceId: string
  /** Undefined before it is saved. */
  race: Race | undefined
  races: readonly Race[]
  /** True while the URL is that of a new race. */
  isNew: boolean
}

function RaceView({ teamId, raceId, race, races, isNew }: ViewProps) {
  const mayChange = !useIsViewer(teamId)
  const navigate = useNavigate()
  const asked = useRoster(teamId)
  const roster = asked.data
  const [params, setParams] = useSearchParams()
  const [showsAnswers, setShowsAnswers] = useState(false)
  const last = lastRace(races, raceId)
  const { data: circuits } = useQuery({
    ...queryOf('circuits.list', { teamId }),
    enabled: race === undefined,
  })
  const proposed = proposedDraft(last, { circuits, cars: roster?.cars })
  const saving = useSaveRace(teamId, raceId, {
    isStored: race !== undefined,
    defaults: proposed,
    last,
    onAdded: () => {
      if (isNew) void navigate(`/teams/${teamId}/races/${raceId}`, { replace: true })
    },
  })
  const draft: Draft = Object.assign({}, race ?? proposed, ...saving.unsaved)
  const cars = carsOf(draft, roster?.cars ?? [])
  const shown = params.get('car')
  const carId = (cars.find(({ id }) => id === shown) ?? cars[0])?.id ?? null
  const chooseCar = (id: string) => setParams({ car: id }, { replace: true })
  const known = useRaceOfCar(teamId, { raceId: race && roster ? raceId : null, carId })
  const carRace = known.race
  const hasStarted = race?.startedAt != null
  const isOver = race != null && race.endedAt !== null
  const all = useCarsOfRace(teamId, race && !isOver ? raceId : null, cars)
  const asksQuestions = mayChange && (!hasStarted || showsAnswers)
  const showsRules = showsAnswers && hasStarted && !isOver
  useEffect(() => {
    if (showsRules) document.getElementById(rulesId)?.scrollIntoView()
  }, [showsRules])
  return (
    <>
      <Head
        teamId={teamId}
        race={race}
        races={races}
        mayChange={mayChange}
        savedAt={saving.savedAt}
        answers={
          hasStarted && mayChange
            ? { shown: showsAnswers, onToggle: () => setShowsAnswers(!showsAnswers) }
            : null
        }
      />
      <div className={styles.missing}>{mayChange && !isOver && <MissingFuel cars={all} />}</div>
      <div className={asksQuestions && !hasStarted ? styles.columns : styles.list}>
        {asksQuestions && (
          <RaceQuestions
            {...{ teamId, raceId, race, last, draft, saving, carId, carRace }}
            roster={asked}
            onChoose={chooseCar}
          />
        )}
        {isOver && (
          <section aria-labelledby="result">
            <h2 id="result" className={typography.h2}>
              {planText.result.title}
            </h2>
            <RaceResult teamId={teamId} race={race} />
          </section>
        )}
        <PlanOfCar
          {...{ raceId, race, cars, carId, carRace, mayChange, all }}
          query={roster ? known : asked}
          sessionId={known.sessionId}
          onChoose={chooseCar}
        />
      </div>
    </>
  )
}

interface HeadProps {
  teamId: string
  race: Race | undefined
  races: readonly Race[]
  mayChange: boolean
  savedAt: number | null
  /** Null where the questions are always or never shown. */
  answers: { readonly shown: boolean; readonly onToggle: () => void } | null
}

/** Name, times and state of the race, with its wall and its clock. */
function Head({ teamId, race, races, mayChange, savedAt, answers }: HeadProps) {
  const [isOpen, setOpen] = useState(false)
  const state = race && raceClock(raceTimes(race), 0).state
  const isPrepared = !race || state === 'prepared'
  const reason = race && isPrepared ? startReason(race, races) : planText.startNeedsLength
  const isBlocked = isPrepared && reason !== null
  const saved = savedAt === null ? '' : planText.savedAt(hoursAndMinutes(savedAt))
  const sub = race ? [raceSpan(race), saved].filter(Boolean).join(' ') : planText.newRaceText
  return (
    <div className={styles.head}>
      <PageHead title={race?.name ?? planText.newRace} sub={<output>{sub}</output>} />
      <div className={styles.actions}>
        {state !== 'over' && (
          <LinkButton
            variant={isPrepared ? 'quiet' : 'primary'}
            narrow
            to={`/teams/${teamId}/wall`}
          >
            {planText.wall}
          </LinkButton>
        )}
        {race && (
          <LinkButton variant="quiet" narrow to={`/teams/${teamId}/races/${race.id}/timing`}>
            {timingText.page}
          </LinkButton>
        )}
        {answers && (
          <Button variant="quiet" narrow aria-pressed={answers.shown} onClick={answers.onToggle}>
            {state === 'over' ? planText.correct : planText.answers}
          </Button>
        )}
        {mayChange && !isBlocked && (state !== 'over' || answers?.shown) && (
          <Button narrow variant={isPrepared ? 'primary' : 'quiet'} onClick={() => setOpen(true)}>
            {isPrepared ? planText.startRace : planText.clock}
          </Button>
        )}
        {mayChange && isBlocked && <p className={styles.reason}>{reason}</p>}
      </div>
      {isOpen && race && <RaceDialog race={race} onClose={() => setOpen(false)} />}
    </div>
  )
}
