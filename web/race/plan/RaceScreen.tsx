import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useNavigate, useParams, useSearchParams } from 'react-router'
import type { Race } from '#contract/races.ts'
import type { Car } from '#contract/roster.ts'
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
import { CarPlate } from '#web/ui/CarPlate.tsx'
import { LinkButton } from '#web/ui/LinkButton.tsx'
import { LoadFailed } from '#web/ui/LoadFailed.tsx'
import { NotLoaded } from '#web/ui/NotLoaded.tsx'
import { PageHead } from '#web/ui/PageHead.tsx'
import { SkeletonRows } from '#web/ui/Skeleton.tsx'
import typography from '#web/ui/theme/typography.module.css'
import { usePageTitle } from '#web/ui/usePageTitle.ts'
import { Wrap } from '#web/ui/Wrap.tsx'
import { CarPlanView } from './CarPlanView.tsx'
import { carsOf } from './carsOf.ts'
import { DeleteRace } from './DeleteRace.tsx'
import type { Draft } from './draft.ts'
import { HowLong } from './HowLong.tsx'
import { PlanSummary } from './PlanSummary.tsx'
import { lastRace, proposedDraft, useProposedPlan } from './proposedRace.ts'
import questions from './Questions.module.css'
import { RaceResult } from './RaceResult.tsx'
import styles from './RaceScreen.module.css'
import { raceSpan } from './raceSpan.ts'
import { usePlanTimes } from './usePlanTimes.ts'
import { useCarsOfRace, useRaceOfCar } from './useRaceOfCar.ts'
import { useSaveRace } from './useSaveRace.ts'
import { WhichCars } from './WhichCars.tsx'
import { WhichRules } from './WhichRules.tsx'

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
}

function RaceView({ teamId, raceId, race, races }: ViewProps) {
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
    onAdded: () => void navigate(`/teams/${teamId}/races/${raceId}`, { replace: true }),
  })
  const draft: Draft = Object.assign({}, race ?? proposed, ...saving.unsaved)
  const cars = carsOf(draft, roster?.cars ?? [])
  const shown = params.get('car')
  const carId = (cars.find(({ id }) => id === shown) ?? cars[0])?.id ?? null
  const proposedTimes = useProposedPlan({
    teamId,
    last: race || !roster ? undefined : last,
    circuitId: draft.circuitId,
    carId,
  })
  const chooseCar = (id: string) => setParams({ car: id }, { replace: true })
  const known = useRaceOfCar(teamId, { raceId: race && roster ? raceId : null, carId })
  const carRace = known.race
  const onPlanTime = usePlanTimes({ raceId, cars, race, saving })
  const hasStarted = race?.startedAt != null
  const isOver = race != null && race.endedAt !== null
  const all = useCarsOfRace(teamId, race && !isOver ? raceId : null, cars)
  const others = hasStarted
    ? []
    : all.flatMap(({ car, race }) => (car.id === carId ? [] : [{ carId: car.id, race }]))
  const asksQuestions = mayChange && (!hasStarted || showsAnswers)
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
          <div className={questions.questions}>
            <HowLong
              teamId={teamId}
              draft={draft}
              saving={saving}
              carRace={carRace ?? { laps: [], plan: proposedTimes ?? null }}
              onPlanTime={onPlanTime}
            />
            <WhichRules teamId={teamId} rules={draft.rules} saving={saving} />
            {roster ? (
              <WhichCars
                teamId={teamId}
                raceId={race ? raceId : null}
                draft={draft}
                saving={saving}
                cars={roster.cars}
                drivers={roster.drivers}
                carId={carId}
                carRace={carRace}
                onChoose={chooseCar}
              />
            ) : (
              <NotLoaded query={asked} loading={planText.loading} failed={planText.failed} />
            )}
            {race && !hasStarted && race.endedAt === null && (
              <DeleteRace teamId={teamId} race={race} />
            )}
            {carRace && !hasStarted && <PlanSummary race={carRace} />}
          </div>
        )}
        {isOver && (
          <section aria-labelledby="result">
            <h2 id="result" className={typography.h2}>
              {planText.result.title}
            </h2>
            <RaceResult teamId={teamId} race={race} />
          </section>
        )}
        <section className={styles.plan} aria-labelledby="plan">
          <div className={styles.planHead}>
            <h2 id="plan" className={typography.h2}>
              {isOver ? planText.history : hasStarted ? planText.historyAndPlan : planText.page}
            </h2>
            <CarChoice cars={cars} carId={carId} onChoose={chooseCar} />
          </div>
          {!mayChange && <p className={typography.sub}>{planText.viewOnly}</p>}
          {carRace ? (
            <CarPlanView
              key={carId}
              raceId={raceId}
              carId={carId}
              race={carRace}
              sessionId={known.sessionId}
              mayChange={mayChange}
              others={others}
            />
          ) : race ? (
            <NotLoaded
              query={roster ? known : asked}
              loading={planText.loading}
              failed={planText.failed}
            />
          ) : (
            <NothingAnswered />
          )}
        </section>
      </div>
    </>
  )
}

interface CarChoiceProps {
  cars: readonly Car[]
  carId: string | null
  onChoose: (id: string) => void
}

/** The cars of the race: the plan of one of them is shown. */
function CarChoice({ cars, carId, onChoose }: CarChoiceProps) {
  const [first] = cars
  if (cars.length < 2) return first && <CarPlate number={first.number} />
  return (
    <fieldset className={styles.cars} aria-label={planText.carChoice}>
      {cars.map(({ id, number }) => (
        <button
          key={id}
          type="button"
          aria-pressed={id === carId}
          aria-label={planText.carNumber(number)}
          onClick={() => onChoose(id)}
        >
          {number}
        </button>
      ))}
    </fieldset>
  )
}

function NothingAnswered() {
  return (
    <p className={typography.sub}>
      <strong className={typography.strong}>{planText.none}</strong> {planText.lengthMissing}
    </p>
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
