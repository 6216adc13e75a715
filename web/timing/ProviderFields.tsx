import { timingText } from '#web/text/timing.ts'
import { Field } from '#web/ui/Field.tsx'
import typography from '#web/ui/theme/typography.module.css'
import type { FieldsOfForm } from './sourceFields.ts'

interface Props extends FieldsOfForm {
  kind: 'race-monitor' | 'racehero'
  /** True if the token of this provider is stored: it is never shown. */
  hasToken: boolean
}

/** The race or event at a provider of timing, and the token of the team's account there. */
export function ProviderFields({ kind, register, errors, hasToken }: Props) {
  const isRaceMonitor = kind === 'race-monitor'
  const valid = isRaceMonitor ? /^\d{1,10}$/ : /^[\w-]{1,100}$/
  const invalid = isRaceMonitor
    ? timingText.raceMonitorRaceInvalid
    : timingText.raceHeroEventInvalid
  return (
    <>
      <Field
        {...register('number', { validate: number => valid.test(number.trim()) || invalid })}
        label={isRaceMonitor ? timingText.raceMonitorRace : timingText.raceHeroEvent}
        error={errors.number?.message}
        inputMode={isRaceMonitor ? 'numeric' : 'text'}
        autoCapitalize="none"
        autoComplete="off"
        spellCheck={false}
      />
      <Field
        {...register('token', {
          validate: token =>
            (token.trim() === '' && hasToken) ||
            /^[\x21-\x7e]{1,500}$/.test(token.trim()) ||
            timingText.tokenInvalid,
        })}
        label={hasToken ? timingText.tokenStored : timingText.token}
        error={errors.token?.message}
        type="password"
        autoComplete="off"
      />
      <p className={typography.sub}>
        {isRaceMonitor ? timingText.raceMonitorHint : timingText.raceHeroHint}
      </p>
    </>
  )
}
