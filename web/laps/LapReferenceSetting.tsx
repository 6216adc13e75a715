import { useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useId, useState } from 'react'
import type { Session } from '#contract/sessions.ts'
import {
  type LapReference,
  lapReferences,
  longestTargetMs,
  shortestTargetMs,
} from '#contract/shared/lapKinds.ts'
import { command } from '#web/api/call.ts'
import { sessionQuery } from '#web/api/queries.ts'
import { lapTime, lapTimeFrom } from '#web/race/lapFigures.ts'
import { lapsText } from '#web/text/laps.ts'
import { Button } from '#web/ui/Button.tsx'
import { SelectField } from '#web/ui/SelectField.tsx'
import { useCommand } from '#web/ui/useCommand.ts'
import styles from './LapReferenceSetting.module.css'

/** Sets the reference of the lap on the driver's screen. */
export function LapReferenceSetting({ session }: { session: Session }) {
  const { id: sessionId, lapReference, targetLapMs } = session
  const client = useQueryClient()
  /** The target was chosen, and has no time yet. */
  const [choosing, setChoosing] = useState(false)
  const change = useCommand({
    failed: lapsText.changeFailed,
    send: (to: Pick<Session, 'lapReference' | 'targetLapMs'>) =>
      command('sessions.setLapReference', { sessionId, ...to }),
    onSuccess: changed => {
      setChoosing(false)
      client.setQueryData(sessionQuery(sessionId).queryKey, changed)
    },
  })
  const sent = change.isPending ? change.variables.lapReference : lapReference
  const selected = choosing ? 'target' : sent
  function choose(reference: LapReference) {
    const needsTime = reference === 'target' && targetLapMs === null
    setChoosing(needsTime)
    if (!needsTime) change.mutate({ lapReference: reference, targetLapMs })
  }
  return (
    <div className={styles.setting}>
      <SelectField
        label={lapsText.reference}
        value={selected}
        disabled={change.isPending}
        hint={lapsText.referenceHint}
        onChange={({ target }) => {
          const reference = lapReferences.find(each => each === target.value)
          if (reference) choose(reference)
        }}
      >
        {lapReferences.map(reference => (
          <option key={reference} value={reference}>
            {lapsText.references[reference]}
          </option>
        ))}
      </SelectField>
      {selected === 'target' && (
        <Target
          targetMs={targetLapMs}
          busy={change.isPending}
          onTarget={ms => change.mutate({ lapReference: 'target', targetLapMs: ms })}
        />
      )}
    </div>
  )
}

interface TargetProps {
  targetMs: number | null
  busy: boolean
  onTarget: (targetMs: number) => void
}

function Target({ targetMs, busy, onTarget }: TargetProps) {
  const id = useId()
  const [text, setText] = useState(targetMs === null ? '' : lapTime(targetMs))
  const [isWrong, setWrong] = useState(false)
  function submit(event: FormEvent) {
    event.preventDefault()
    const ms = lapTimeFrom(text)
    const isRight = ms !== null && ms >= shortestTargetMs && ms <= longestTargetMs
    setWrong(!isRight)
    if (isRight) onTarget(ms)
  }
  return (
    <form className={styles.target} onSubmit={submit} noValidate>
      <label htmlFor={id}>{lapsText.target}</label>
      <input
        id={id}
        value={text}
        placeholder={lapsText.targetPlaceholder}
        autoComplete="off"
        aria-invalid={isWrong || undefined}
        aria-describedby={isWrong ? `${id}-error` : undefined}
        onChange={({ target }) => setText(target.value)}
      />
      {isWrong && (
        <p id={`${id}-error`} className={styles.wrong} role="alert">
          {lapsText.targetWrong}
        </p>
      )}
      <Button type="submit" variant="quiet" busy={busy}>
        {lapsText.setTarget}
      </Button>
    </form>
  )
}
