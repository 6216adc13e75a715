import { useQuery } from '@tanstack/react-query'
import type { UseFormSetValue } from 'react-hook-form'
import { queryOf } from '#web/api/queryOf.ts'
import { timingText } from '#web/text/timing.ts'
import { Field } from '#web/ui/Field.tsx'
import { SelectField } from '#web/ui/SelectField.tsx'
import typography from '#web/ui/theme/typography.module.css'
import styles from './SourceForm.module.css'
import type { FieldsOfForm, SourceFields } from './sourceFields.ts'

interface Props extends FieldsOfForm {
  setValue: UseFormSetValue<SourceFields>
}

/** The address of a timekeeper's computer. */
export function RMonitorFields({ register, errors, setValue }: Props) {
  const { data: presets = [] } = useQuery(queryOf('timing.presets', {}))
  return (
    <>
      {presets.length > 0 && (
        <SelectField
          label={timingText.preset}
          defaultValue=""
          onChange={({ target }) => {
            const preset = presets[Number(target.value)]
            if (target.value === '' || !preset) return
            setValue('host', preset.host, { shouldValidate: true })
            setValue('port', String(preset.port), { shouldValidate: true })
          }}
        >
          <option value="">{timingText.noPreset}</option>
          {presets.map(({ name }, index) => (
            <option key={name} value={index}>
              {name}
            </option>
          ))}
        </SelectField>
      )}
      <div className={styles.address}>
        <Field
          {...register('host', {
            validate: host => /^[\w.:-]{1,253}$/.test(host.trim()) || timingText.hostMissing,
          })}
          label={timingText.host}
          error={errors.host?.message}
          autoCapitalize="none"
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
        />
      </div>
      <p className={typography.sub}>{timingText.ask}</p>
    </>
  )
}
