import { useMutation, useQueryClient } from '@tanstack/react-query'
import { CircleCheck, Info, MapPin } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import type { CircuitGate } from '#contract/circuits/circuitRules.ts'
import type { TeamCircuit } from '#contract/circuits.ts'
import type { Session } from '#contract/sessions.ts'
import { command } from '#web/api/call.ts'
import { refusalText } from '#web/api/refusals/refusalText.ts'
import { circuitQuery } from '#web/circuits/circuitQueries.ts'
import { useServerClock } from '#web/live/useLive.ts'
import { circuitsText } from '#web/text/team/circuits.ts'
import { Button } from '#web/ui/buttons/Button.tsx'
import { useToasts } from '#web/ui/overlays/toasts.ts'
import styles from './CircuitsScreen.module.css'
import { driverName } from './driverName.ts'
import { grouped } from './grouped.ts'

interface Props {
  teamId: string
  circuit: TeamCircuit
  /** The session whose car sets the line; null without a car on this circuit. */
  session: Session | null
  /** True with several cars on this circuit: the driver is then named. */
  isOneOfMany: boolean
}

/** A change of the line or the pit lane that can be undone. */
interface Change {
  readonly version: number
  readonly sentence: string
}

/** Sets the line and the pit lane where the car is, and undoes the last change. */
export function CircuitActions({ teamId, circuit, session, isOneOfMany }: Props) {
  const now = useServerClock()
  const toasts = useToasts()
  const [pitStep, setPitStep] = useState<'pit-in' | 'pit-out' | null>(null)
  const [change, setChange] = useState<Change | null>(null)
  const [isUndone, setUndone] = useState(false)
  const client = useQueryClient()
  const show = (changed: TeamCircuit) =>
    client.setQueryData(circuitQuery(teamId, changed.id).queryKey, changed)
  const set = useMutation({
    mutationFn: ({ sessionId, gate, at }: { sessionId: string; gate: CircuitGate; at: number }) =>
      command('circuits.setGate', { sessionId, gate, at }),
    onMutate: () => toasts.dismiss('circuit-gate'),
    onSuccess: ({ circuit: changed, movedM }, { gate }) => {
      show(changed)
      setUndone(false)
      setPitStep(gate === 'pit-in' ? 'pit-out' : null)
      const driver = session ? driverName(session.driver) : ''
      const sentence = circuitsText.moved[gate](grouped(movedM ?? 0), driver)
      setChange({ version: changed.version, sentence })
    },
    onError: reason => toasts.error(circuitsText.gateFailed, refusalText(reason), 'circuit-gate'),
  })
  const undo = useMutation({
    mutationFn: ({ version }: Change) =>
      command('circuits.undo', { teamId, circuitId: circuit.id, version }),
    onSuccess: changed => {
      show(changed)
      setChange(null)
      setPitStep(null)
      setUndone(true)
    },
    onError: reason => toasts.error(circuitsText.undoFailed, refusalText(reason), 'circuit-gate'),
  })
  const press = (gate: CircuitGate) => {
    if (session) set.mutate({ sessionId: session.id, gate, at: Math.round(now()) })
  }
  return (
    <>
      <div className={styles.actions}>
        {pitStep === null ? (
          <Button disabled={!session} busy={set.isPending} onClick={() => press('line')}>
            {!set.isPending && <MapPin size={22} aria-hidden />}
            {circuitsText.lineIsHere}
          </Button>
        ) : (
          <Button disabled={!session} busy={set.isPending} onClick={() => press(pitStep)}>
            {pitStep === 'pit-in' ? circuitsText.pitInHere : circuitsText.pitOutHere}
          </Button>
        )}
        <Button
          variant="quiet"
          disabled={!session}
          onClick={() => setPitStep(pitStep === null ? 'pit-in' : null)}
        >
          {pitStep === null ? circuitsText.pitLane : circuitsText.cancel}
        </Button>
      </div>
      {change ? (
        <Note isDone>
          {change.sentence}{' '}
          <button
            type="button"
            className={styles.undo}
            disabled={undo.isPending}
            onClick={() => undo.mutate(change)}
          >
            {circuitsText.undo}
          </button>
        </Note>
      ) : (
        isUndone && <Note isDone>{circuitsText.undone}</Note>
      )}
      {(pitStep !== null || !(change || isUndone)) && (
        <Note>
          {session
            ? hintOf(pitStep, isOneOfMany ? driverName(session.driver) : null)
            : circuitsText.hintNoCar}
        </Note>
      )}
    </>
  )
}

function hintOf(pitStep: 'pit-in' | 'pit-out' | null, driver: string | null): string {
  const car = driver === null ? circuitsText.theCar : circuitsText.carOf(driver)
  if (pitStep === null) return circuitsText.hint(car)
  return pitStep === 'pit-in' ? circuitsText.hintPitIn(car) : circuitsText.hintPitOut(car)
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

/** Both buttons, while the circuit is learned. */
export function LearningActions({ drivenM }: { drivenM: number }) {
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
      <Note>{circuitsText.hintLearning(oneDecimal.format(drivenM / 1000))}</Note>
    </>
  )
}

const oneDecimal = new Intl.NumberFormat(undefined, {
  minimumFractionDigits: 1,
  maximumFractionDigits: 1,
})
