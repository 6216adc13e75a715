import { Eye, RotateCw } from 'lucide-react'
import { useCallback, useEffect, useEffectEvent, useMemo, useState } from 'react'
import { askForPosition } from '#web/device/geolocation.ts'
import { probeServer, type ServerProbe } from '#web/device/probes.ts'
import { onVisible } from '#web/device/visibility.ts'
import { phoneNote } from '#web/message/phoneNote.ts'
import { phoneNoteText } from '#web/message/phoneNoteText.ts'
import { checksText as text } from '#web/text/checks.ts'
import { Button } from '#web/ui/Button.tsx'
import { FittedWord } from '#web/ui/board/FittedWord.tsx'
import { LogoPage } from '#web/ui/LogoPage.tsx'
import { SectionHead } from '#web/ui/PageHead.tsx'
import { usePageTitle } from '#web/ui/usePageTitle.ts'
import { CheckMark } from './CheckMark.tsx'
import styles from './CheckScreen.module.css'
import { foundText, repairOf } from './checkTexts.ts'
import {
  type Check,
  isReady,
  type PhoneInput,
  phoneChecks,
  phoneFaultsOf,
  thingsToDo,
} from './phoneChecks.ts'
import { useAwake } from './useAwake.ts'
import { usePositionInput } from './usePhoneInput.ts'
import { Gps } from './usePosition.ts'
import { useProbes } from './useProbes.ts'
import { useSoundState } from './useSound.ts'

/** All checks of this phone. It needs no login, because a driver may have no account yet. */
export function CheckScreen() {
  usePageTitle(text.page)
  const { input, again } = useThisPhone()
  const checks = phoneChecks(input)
  const toDo = thingsToDo(checks)
  const waiting = checks.filter(({ light }) => light === 'waiting')
  const rest = checks.filter(({ light }) => light !== 'bad' && light !== 'waiting')
  const first = toDo[0] ?? waiting.find(check => repairOf(check, input) !== null)
  return (
    <LogoPage to="/">
      <div className={styles.page}>
        <Verdict {...{ checks, first, toDo, input }} />
        {first && <Steps steps={repairOf(first, input)?.steps ?? []} />}
        {first?.finding === 'askLocation' ? (
          <Button onClick={askForPosition}>{text.askForLocation}</Button>
        ) : (
          <Button onClick={again}>
            <RotateCw size={20} aria-hidden /> {text.checkAgain}
          </Button>
        )}
        <p className={styles.crew}>
          <Eye size={22} aria-hidden />
          <span>
            {text.crewSees} <b>{seenByCrew(checks, input)}</b>
          </span>
        </p>
        <section>
          <SectionHead
            title={text.checks}
            remark={text.count(
              toDo.length,
              checks.filter(({ light }) => light === 'good').length,
              checks.length,
            )}
          />
          <ul className={styles.checks}>
            {[...toDo, ...waiting, ...rest].map(check => (
              <li key={check.name} data-light={check.light}>
                <CheckMark light={check.light} />
                <b>{text.names[check.name]}</b>
                <span>{foundText(check, input)}</span>
              </li>
            ))}
          </ul>
        </section>
      </div>
    </LogoPage>
  )
}

interface VerdictProps {
  checks: readonly Check[]
  /** The check to repair first. */
  first: Check | undefined
  toDo: readonly Check[]
  input: PhoneInput
}

/** READY or NOT READY, hollow while checks are pending, and a sentence on the check to repair first. */
function Verdict({ checks, first, toDo, input }: VerdictProps) {
  const ready = isReady(checks)
  const then = toDo.slice(1).flatMap(check => repairOf(check, input)?.title ?? [])
  const title = first && repairOf(first, input)?.title
  const more = ready ? text.readyMore : text.pendingMore
  const word = ready ? 'ready' : toDo.length > 0 ? 'toDo' : 'pending'
  return (
    <div className={styles.verdict}>
      <div className={styles.word} aria-hidden>
        <FittedWord variant={word === 'pending' ? 'hollow' : 'solid'}>
          {text.words[word]}
        </FittedWord>
      </div>
      <div className={styles.sentence} aria-live="polite">
        <h1 tabIndex={-1}>{title ?? (ready ? text.ready : text.pending)}</h1>
        {then.length > 0 ? <p>{text.thenAlso(then)}</p> : toDo.length === 0 && <p>{more}</p>}
      </div>
    </div>
  )
}

/** Returns the text that the message screen shows about a phone in this state. */
function seenByCrew(checks: readonly Check[], { gps, battery }: PhoneInput): string {
  const note = phoneNote(
    {
      presence: 'shown',
      presenceSince: 0,
      gps: gps ?? 'lost',
      gpsSince: 0,
      battery,
      problems: phoneFaultsOf(checks),
    },
    true,
  )
  return note === null ? text.crewSeesNothing : phoneNoteText(note)
}

function Steps({ steps }: { steps: readonly string[] }) {
  return (
    <ol className={styles.steps}>
      {steps.map((step, index) => (
        <li key={step}>
          <b aria-hidden>{index + 1}</b>
          {step}
        </li>
      ))}
    </ol>
  )
}

/** Returns the state of this phone, and a function that repeats its checks in a user gesture. */
function useThisPhone(): { input: PhoneInput; again: () => void } {
  const { networkOf, again, ...probes } = useProbes()
  const server = useServer()
  const awake = useAwake()
  const sound = useSoundState()
  const gps = useMemo(() => new Gps(deviceClock), [])
  useEffect(() => gps.watch(), [gps])
  const position = usePositionInput(gps, true)
  const unlock = () => {
    awake.keepAwake()
    sound.unlock()
  }
  const unlockAtOnce = useEffectEvent(unlock)
  useEffect(() => {
    // Shortly after the tap that opened this page, the browser allows both without another tap.
    if (navigator.userActivation?.isActive) unlockAtOnce()
  }, [])
  return {
    input: {
      ...probes,
      ...position,
      network: networkOf(server.probe?.online ?? null),
      online: server.probe?.online ?? true,
      roundTripMs: server.probe?.roundTripMs ?? null,
      clockAheadMs: server.probe?.clockAheadMs ?? null,
      awake: awake.state,
      sound: sound.state,
      // Settings of the driver, which are chosen before the start.
      mediaButton: 'unsupported',
      voice: 'unsupported',
    },
    again: () => {
      unlock()
      again()
      server.ask()
    },
  }
}

/** Uses the device's own clock: positions are only shown here, and not sent. */
const deviceClock = { timeOf: (ageMs = 0) => ({ at: Date.now() - ageMs }) }

/** Requests the time of the server, and again each time the page becomes visible. */
function useServer() {
  const [probe, setProbe] = useState<ServerProbe | null>(null)
  const ask = useCallback(() => void probeServer().then(setProbe), [])
  useEffect(() => {
    ask()
    return onVisible(ask)
  }, [ask])
  return { probe, ask }
}
