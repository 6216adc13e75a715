import { Smartphone } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import type { CarPhone, Run } from '#contract/carRaces.ts'
import { beganInPits } from '#racing/race/handover.ts'
import { phoneRuns } from '#racing/race/runs.ts'
import { phoneLabel } from '#web/race/phoneLabel.ts'
import type { CarRace } from '#web/race/shownCarRace.ts'
import { hoursAndMinutes, timeOfDay } from '#web/race/timeOfDay.ts'
import { WhichPhone } from '#web/race/WhichPhone.tsx'
import { carPhonesText } from '#web/text/carPhones.ts'
import { runsText as text } from '#web/text/runs.ts'
import { SectionHead } from '#web/ui/PageHead.tsx'
import { showLinked } from '#web/ui/showLinked.ts'
import { CorrectRun } from './CorrectRun.tsx'
import styles from './PhoneRuns.module.css'
import { useCorrectRuns } from './useCorrectRuns.tsx'

interface Props {
  sessionId: string
  race: CarRace
  mayChange: boolean
}

/** The run, or the phone without one, that is corrected. */
interface Opened {
  readonly run: Run | null
  readonly phone: string
}

/** Which phone was in the car, and when, the newest first. Members correct it. */
export function PhoneRuns({ sessionId, race, mayChange }: Props) {
  const { runs, phones } = race
  const { correct, undo } = useCorrectRuns(sessionId)
  const [opened, setOpened] = useState<Opened | null>(null)
  const [asks, setAsks] = useState(false)
  const open = (which: Opened) => {
    // The dialog shows no error of an earlier correction.
    correct.reset()
    undo.reset()
    setOpened(which)
  }
  const unused = phones.filter(phone => !runs.some(run => run.sessionId === phone.sessionId))
  const active = phones.filter(({ endedAt }) => endedAt === null)
  return (
    <section id="phones" ref={showLinked} className={styles.runs} aria-labelledby="phone-runs">
      <SectionHead
        id="phone-runs"
        title={text.title}
        remark={
          mayChange &&
          active.length > 1 && (
            <button type="button" className={styles.which} onClick={() => setAsks(true)}>
              {carPhonesText.which}
            </button>
          )
        }
      />
      <ul className={styles.rows} aria-labelledby="phone-runs">
        {runs.toReversed().map(run => (
          <RunRow
            key={run.from}
            race={race}
            run={run}
            action={
              mayChange && (
                <RunAction
                  race={race}
                  run={run}
                  isBusy={undo.isPending}
                  onCorrect={phone => open({ run, phone })}
                  onUndo={correctionId => undo.mutate(correctionId)}
                />
              )
            }
          />
        ))}
        {unused.map(phone => (
          <UnusedRow
            key={phone.sessionId}
            race={race}
            phone={phone}
            onPutIn={mayChange ? () => open({ run: null, phone: phone.sessionId }) : null}
          />
        ))}
      </ul>
      {opened && (
        <CorrectRun
          corrected={{ race, ...opened }}
          correct={correct}
          undo={undo}
          onClose={() => setOpened(null)}
        />
      )}
      {asks && <WhichPhone race={race} open onClose={() => setAsks(false)} />}
    </section>
  )
}

function RunRow({ race, run, action }: { race: CarRace; run: Run; action: ReactNode }) {
  const { sessionId, from, until } = run
  const phone = race.phones.find(each => each.sessionId === sessionId)
  const why = reasonOf(race, run)
  return (
    <li className={styles.row} data-now={until === null || undefined}>
      <Smartphone size={24} aria-hidden />
      <span className={styles.words}>
        <b>{sessionId === null ? text.none : phoneLabel(race.phones, sessionId)}</b>
        <span>{phone ? text.reason(phone.name, why) : why}</span>
      </span>
      <span className={styles.times}>
        <b>{timeOfDay(from)}</b>
        <small>{until === null ? text.untilNow : text.until(timeOfDay(until))}</small>
      </span>
      {action}
    </li>
  )
}

interface ActionProps {
  race: CarRace
  run: Run
  isBusy: boolean
  onCorrect: (phone: string) => void
  onUndo: (correctionId: string) => void
}

/** Corrects the run of a phone; a time without a phone was decided by a person, who can only undo that. */
function RunAction({ race, run, isBusy, onCorrect, onUndo }: ActionProps) {
  const { sessionId, correctionId, from } = run
  const time = timeOfDay(from)
  if (sessionId !== null)
    return (
      <button
        type="button"
        aria-label={text.correctFrom(phoneLabel(race.phones, sessionId), time)}
        onClick={() => onCorrect(sessionId)}
      >
        {text.correct}
      </button>
    )
  if (correctionId === undefined) return null
  return (
    <button
      type="button"
      aria-label={text.undoFrom(time)}
      disabled={isBusy}
      onClick={() => onUndo(correctionId)}
    >
      {text.undo}
    </button>
  )
}

interface UnusedProps {
  race: CarRace
  phone: CarPhone
  /** Null: the user can only watch. */
  onPutIn: (() => void) | null
}

function UnusedRow({ race, phone, onPutIn }: UnusedProps) {
  const { sessionId, name, startedAt, endedAt } = phone
  const label = phoneLabel(race.phones, sessionId)
  const open =
    endedAt === null
      ? text.openSince(hoursAndMinutes(startedAt))
      : text.endedAt(hoursAndMinutes(endedAt))
  return (
    <li className={styles.row} data-unused="">
      <Smartphone size={24} aria-hidden />
      <span className={styles.words}>
        <b>{label}</b>
        <span>{text.reason(name, `${open} ${carPhonesText.neverMoved}`)}</span>
      </span>
      <span className={styles.times}>
        <b>{text.noTime}</b>
      </span>
      {onPutIn && (
        <button type="button" aria-label={text.putPhoneIn(label)} onClick={onPutIn}>
          {text.putIn}
        </button>
      )}
    </li>
  )
}

/** Returns why a run began. */
function reasonOf(race: CarRace, run: Run): string {
  const { decidedBy, by, from } = run
  if (decidedBy === 'person') return text.decidedBy(by)
  if (decidedBy === 'start') return text.started
  const inCar = phoneRuns(race.runs)
  const index = inCar.findIndex(each => each.from === from)
  const [moved, before] = [inCar[index], inCar[index - 1]]
  const { phones, visits } = race
  return moved && beganInPits(moved, before, { phones, visits, fillsAt: [] })
    ? text.leftPits
    : text.moved
}
