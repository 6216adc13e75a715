import { CircleCheck, Info, MapPin } from 'lucide-react'
import type { ReactNode } from 'react'
import type { TeamCircuit } from '#contract/circuits.ts'
import type { Session } from '#contract/sessions.ts'
import { appText } from '#web/text/app.ts'
import { circuitsText } from '#web/text/circuits.ts'
import { Button } from '#web/ui/Button.tsx'
import styles from './CircuitsScreen.module.css'
import { nameOfCar } from './nameOfCar.ts'
import type { CircuitChanges, PitStep } from './useCircuitChanges.ts'
import type { CircuitCar } from './useCircuits.ts'

interface Props {
  circuit: TeamCircuit
  changes: CircuitChanges
  /** The session whose car sets the line; null without a car on this circuit. */
  session: Session | null
  /** True with several cars on this circuit: the driver is then named. */
  isOneOfMany: boolean
  /** Cars whose circuit is not known. */
  notKnown: readonly CircuitCar[]
  onPlace: () => void
}

/** Sets the line and the pit lane where the car is, and undoes the last change. */
export function CircuitActions(props: Props) {
  const { circuit, changes, session, isOneOfMany, notKnown, onPlace } = props
  const { pitStep, setPitStep, change, isUndone, isSetting, setGate, removePitLane } = changes
  const hasPitLane = circuit.pitIn !== null || circuit.pitOut !== null
  return (
    <>
      <div className={styles.actions}>
        {pitStep === null ? (
          <Button
            variant="quiet"
            disabled={!session}
            busy={isSetting}
            onClick={() => setGate('line')}
          >
            {!isSetting && <MapPin size={22} aria-hidden />}
            {circuitsText.lineIsHere}
          </Button>
        ) : (
          <Button disabled={!session} busy={isSetting} onClick={() => setGate(pitStep)}>
            {pitStep === 'pit-in' ? circuitsText.pitInHere : circuitsText.pitOutHere}
          </Button>
        )}
        <Button
          variant="quiet"
          disabled={!session && !hasPitLane}
          onClick={() => setPitStep(pitStep === null ? 'pit-in' : null)}
        >
          {pitStep === null ? circuitsText.pitLane : appText.cancel}
        </Button>
      </div>
      <LastChange changes={changes} />
      {(pitStep !== null || !(change || isUndone)) && (
        <Note>
          {session
            ? hintOf(pitStep, isOneOfMany ? session : null)
            : circuitsText.hintNoCar(notKnown.map(car => nameOfCar(car.session)))}{' '}
          {pitStep === null ? (
            <NoteButton onClick={onPlace}>{circuitsText.placeLine}</NoteButton>
          ) : (
            hasPitLane && (
              <NoteButton busy={removePitLane.isPending} onClick={() => removePitLane.mutate()}>
                {circuitsText.removePitLane}
              </NoteButton>
            )
          )}
        </Note>
      )}
    </>
  )
}

function LastChange({ changes: { change, isUndone, undo } }: { changes: CircuitChanges }) {
  if (change)
    return (
      <Note isDone>
        {change.sentence}{' '}
        <NoteButton busy={undo.isPending} onClick={() => undo.mutate(change)}>
          {circuitsText.undo}
        </NoteButton>
      </Note>
    )
  return isUndone ? <Note isDone>{circuitsText.undone}</Note> : null
}

function hintOf(pitStep: PitStep, session: Session | null): string {
  const car = session === null ? circuitsText.theCar : nameOfCar(session)
  if (pitStep === null) return circuitsText.hint(car)
  return pitStep === 'pit-in' ? circuitsText.hintPitIn(car) : circuitsText.hintPitOut(car)
}

interface NoteButtonProps {
  busy?: boolean
  onClick: () => void
  children: ReactNode
}

function NoteButton({ busy = false, onClick, children }: NoteButtonProps) {
  return (
    <button type="button" className={styles.undo} disabled={busy} onClick={onClick}>
      {children}
    </button>
  )
}

/** A sentence with an icon. Screen readers read it when it changes. */
export function Note({ children, isDone = false }: { children: ReactNode; isDone?: boolean }) {
  return (
    <output className={styles.note} data-done={isDone || undefined}>
      {isDone ? <CircleCheck size={22} aria-hidden /> : <Info size={22} aria-hidden />}
      <span>{children}</span>
    </output>
  )
}

/** Both buttons, while the circuit is not known. */
export function NotKnownActions({ drivenM }: { drivenM: number }) {
  return (
    <>
      <div className={styles.actions}>
        <Button disabled>
          <MapPin size={22} aria-hidden />
          {circuitsText.lineIsHere}
        </Button>
        <Button variant="quiet" disabled>
          {circuitsText.pitLane}
        </Button>
      </div>
      <Note>{circuitsText.hintNotKnown(oneDecimal.format(drivenM / 1000))}</Note>
    </>
  )
}

export const oneDecimal = new Intl.NumberFormat(undefined, {
  minimumFractionDigits: 1,
  maximumFractionDigits: 1,
})
