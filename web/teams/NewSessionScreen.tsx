import { useMutation } from '@tanstack/react-query'
import { ChevronDown } from 'lucide-react'
import { type SyntheticEvent, useEffect, useEffectEvent, useState } from 'react'
import { type UseFormReturn, type UseFormSetError, useForm, useWatch } from 'react-hook-form'
import { Link, useNavigate, useParams } from 'react-router'
import type { Car } from '#contract/roster.ts'
import { maxNameLetters } from '#contract/shared/bounds.ts'
import { TeamPage } from '#web/account/TeamPage.tsx'
import { command } from '#web/api/call.ts'
import { CallRefused } from '#web/api/callRefused.ts'
import { refusalText } from '#web/api/refusalText.ts'
import { showRefusedFields } from '#web/api/showRefusedFields.ts'
import { useLiveSessions } from '#web/race/useLiveSessions.ts'
import { rosterText } from '#web/text/roster.ts'
import { teamsText } from '#web/text/teams.ts'
import { Button } from '#web/ui/Button.tsx'
import { Checkbox } from '#web/ui/Checkbox.tsx'
import { Field } from '#web/ui/Field.tsx'
import { required } from '#web/ui/required.ts'
import { SelectField } from '#web/ui/SelectField.tsx'
import typography from '#web/ui/theme/typography.module.css'
import { useToasts } from '#web/ui/toasts.ts'
import { Stack } from '#web/ui/Wrap.tsx'
import styles from './NewSessionScreen.module.css'
import { OwnSessionLink } from './OwnSessionLink.tsx'
import { useCarChoice } from './useCarChoice.ts'
import { useJoinedRace } from './useJoinedRace.ts'

interface Entered {
  name: string
  noLapTiming: boolean
  dataLinkOff: boolean
}

/**
 * Starts a session. Asks for its name, and for the car of a team with several; settings that are usually right are
 * folded.
 */
export function NewSessionScreen() {
  const { teamId = '' } = useParams()
  useLiveSessions(teamId)
  const { register, handleSubmit, formState, setError, control, resetField } = useForm({
    mode: 'onTouched',
    defaultValues: { name: '', noLapTiming: false, dataLinkOff: false },
  })
  const carChoice = useCarChoice(teamId)
  const { name: proposed, held } = useJoinedRace(teamId, carChoice)
  const isTyped = formState.dirtyFields.name === true
  const propose = useEffectEvent(() => {
    if (!isTyped) resetField('name', { defaultValue: proposed })
  })
  useEffect(() => propose(), [proposed])
  const [asksCar, setAsksCar] = useState(false)
  const start = useStart(teamId, carChoice, setError)
  const submit = handleSubmit(entered => start.mutate(entered))
  const submitOrAsk = (event: SyntheticEvent) => {
    event.preventDefault()
    setAsksCar(carChoice.isCarMissing)
    if (!carChoice.isCarMissing) void submit(event)
  }
  return (
    <TeamPage
      page={teamsText.newPage}
      title={
        <span className={styles.title}>
          {teamsText.newTitle} <span className={styles.whole}>{teamsText.newTitleEnd}</span>
        </span>
      }
      sub={teamsText.newSub}
    >
      <form noValidate onSubmit={submitOrAsk}>
        <div className={styles.parts}>
          {carChoice.cars.length > 1 && (
            <CarChips choice={carChoice} isMissing={asksCar && carChoice.isCarMissing} />
          )}
          <Field
            {...register('name', required(teamsText.sessionNameMissing))}
            label={teamsText.sessionName}
            error={formState.errors.name?.message}
            placeholder={teamsText.sessionNameExample}
            maxLength={maxNameLetters}
          />
          {held !== undefined && <output className={typography.lead}>{held}</output>}
          <MoreSettings {...{ carChoice, control, register }} />
          <div className={styles.start}>
            <Button
              type="submit"
              disabled={(!formState.isValid && !carChoice.isCarMissing) || carChoice.isLoading}
              busy={start.isPending}
            >
              {teamsText.start}
            </Button>
          </div>
          {isDriving(start.error) && <OwnSessionLink teamId={teamId} />}
          <div className={styles.hints}>
            <Hints />
          </div>
        </div>
      </form>
    </TeamPage>
  )
}

interface MoreProps extends Pick<UseFormReturn<Entered>, 'control' | 'register'> {
  carChoice: ReturnType<typeof useCarChoice>
}

/** Settings that are usually right, folded below a line that names them. */
function MoreSettings({ carChoice, control, register }: MoreProps) {
  const [noLapTiming, dataLinkOff] = useWatch({ control, name: ['noLapTiming', 'dataLinkOff'] })
  return (
    <details className={styles.more}>
      <summary>
        <span>
          {teamsText.chosen({
            ...carChoice.names,
            asksCar: carChoice.cars.length > 1,
            keepsDriver: carChoice.chosen.keepsDriver,
            noLapTiming,
            dataLinkOff,
          })}
        </span>
        <ChevronDown size={20} aria-hidden />
      </summary>
      <Stack>
        <ChooseCar choice={carChoice} />
        <Checkbox
          {...register('noLapTiming')}
          label={teamsText.noLapTiming}
          hint={teamsText.noLapTimingHint}
        />
        <Checkbox
          {...register('dataLinkOff')}
          label={teamsText.dataLinkOff}
          hint={teamsText.dataLinkOffHint}
        />
      </Stack>
    </details>
  )
}

/** The rules about data links, and what is stored. */
function Hints() {
  return (
    <>
      <p className={typography.sub}>{teamsText.rulesHint}</p>
      <p className={`${typography.sub} ${styles.hint}`}>
        {teamsText.privacyHint} {/* In a tab of its own, so that the typed name stays. */}
        <Link to="/privacy" target="_blank">
          {teamsText.privacy}
        </Link>
      </p>
    </>
  )
}

/** Starts a session, and opens its drive screen. */
function useStart(
  teamId: string,
  { chosen, remember }: ReturnType<typeof useCarChoice>,
  setError: UseFormSetError<Entered>,
) {
  const toasts = useToasts()
  const navigate = useNavigate()
  return useMutation({
    mutationFn: ({ name, noLapTiming, dataLinkOff }: Entered) => {
      const settings = { lapTiming: !noLapTiming, dataLink: !dataLinkOff }
      return command('sessions.start', { teamId, name, ...settings, ...chosen })
    },
    onMutate: () => toasts.dismiss('start-session'),
    onSuccess: ({ id }) => {
      remember()
      return navigate(`/teams/${teamId}/${id}/drive?checks`, { replace: true })
    },
    onError: reason => {
      if (showRefusedFields(reason, ['name'], setError) || isDriving(reason)) return
      toasts.error(teamsText.startFailed, refusalText(reason), 'start-session')
    },
  })
}

function isDriving(reason: unknown): boolean {
  return reason instanceof CallRefused && reason.code === 'already-driving'
}

/** The choice of the driver who is in the car, beside the ids of drivers. */
const inCar = 'in-car'

interface ChipsProps {
  choice: ReturnType<typeof useCarChoice>
  /** True after Start was pressed without a car. */
  isMissing: boolean
}

/** The cars of a team with several, one tap each. */
function CarChips({ choice, isMissing }: ChipsProps) {
  const { cars, driven, isDriven, isCarMissing, chosen, choose } = choice
  const chips = [
    ...cars.map(car => ({
      carId: car.id,
      text: car.number,
      note: driven.has(car.id) ? rosterText.drivenNow : null,
      label: carLabel(car, driven),
    })),
    { carId: null, text: rosterText.withoutCar, note: null, label: rosterText.withoutCar },
  ]
  return (
    <fieldset
      // Scrolls to the cars, which are out of sight on a low screen.
      ref={isMissing ? showInMiddle : null}
      className={styles.cars}
      aria-describedby={isMissing ? 'car-missing' : undefined}
    >
      <legend>{rosterText.chooseCar}</legend>
      <div>
        {chips.map(({ carId, text, note, label }) => (
          <button
            key={carId}
            type="button"
            aria-pressed={chosen.carId === carId && !isCarMissing}
            aria-label={label}
            onClick={() => choose({ carId })}
          >
            {text}
            {note !== null && <small>{note}</small>}
          </button>
        ))}
      </div>
      {isMissing && (
        <p id="car-missing" role="alert">
          {rosterText.carMissing}
        </p>
      )}
      {isDriven && <p className={typography.sub}>{rosterText.drivenHint}</p>}
    </fieldset>
  )
}

function showInMiddle(element: HTMLElement | null) {
  element?.scrollIntoView({ block: 'center' })
}

function carLabel({ id, number, name }: Car, driven: ReadonlySet<string | undefined>): string {
  const parts = [rosterText.car(number), driven.has(id) && rosterText.drivenNow, name]
  return parts.filter(Boolean).join(', ')
}

/** Asks for the driver, and for the car where the team has one; renders nothing where it has none. */
function ChooseCar({ choice }: { choice: ReturnType<typeof useCarChoice> }) {
  const { cars, drivers, driven, isDriven, chosen, choose } = choice
  if (cars.length === 0) return null
  return (
    <>
      {cars.length === 1 && (
        <Choice
          label={rosterText.chooseCar}
          value={chosen.carId}
          hint={isDriven ? rosterText.drivenHint : undefined}
          none={rosterText.withoutCar}
          choices={cars.map(car => ({ id: car.id, text: carLabel(car, driven) }))}
          onChoose={carId => choose({ carId })}
        />
      )}
      {(drivers.length > 0 || isDriven) && (
        <Choice
          label={rosterText.chooseDriver}
          value={chosen.keepsDriver ? inCar : chosen.driverId}
          none={rosterText.myself}
          choices={[
            ...(isDriven ? [{ id: inCar, text: rosterText.driverInCar }] : []),
            ...drivers.map(({ id, name }) => ({ id, text: name })),
          ]}
          onChoose={id => choose({ driverId: id === inCar ? null : id, keepsDriver: id === inCar })}
        />
      )}
    </>
  )
}

interface ChoiceProps {
  label: string
  value: string | null
  /** The text of the choice without a car, or without a driver of the roster. */
  none: string
  choices: readonly { id: string; text: string }[]
  hint?: string | undefined
  onChoose: (id: string | null) => void
}

function Choice({ value, none, choices, onChoose, ...field }: ChoiceProps) {
  return (
    <SelectField
      {...field}
      value={value ?? ''}
      onChange={event => onChoose(event.target.value || null)}
    >
      <option value="">{none}</option>
      {choices.map(choice => (
        <option key={choice.id} value={choice.id}>
          {choice.text}
        </option>
      ))}
    </SelectField>
  )
}
