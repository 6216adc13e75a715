import { timingText } from '#web/text/timing.ts'
import { Field } from '#web/ui/Field.tsx'
import typography from '#web/ui/theme/typography.module.css'
import styles from './SourceForm.module.css'
import type { FieldsOfForm } from './sourceFields.ts'

/** The address of a timekeeper's computer. */
export function RMonitorFields({ register, errors }: FieldsOfForm) {
  return (
    <>
      <div className={styles.address}>
        <Field
          {...register('host', {
            validate: host => /^[\w.:-]{1,253}$/.test(host.trim()) || timingText.hostMissing,
          })}
          label={timingText.host}
          error={errors.host?.message}
          autoCapitalize="none"
          autoComplete="off"
          spellCheck={false}
        />
        <Field
          {...register('port', {
            validate: port =>
              (/^\d{1,5}$/.test(port) && Number(port) >= 1 && Number(port) <= 65_535) ||
              timingText.portInvalid,
          })}
          label={timingText.port}
          error={errors.port?.message}
          inputMode="numeric"
          autoComplete="off"
        />
      </div>
      <p className={typography.sub}>{timingText.ask}</p>
    </>
  )
}
