import { maxTimingLetters } from '#contract/shared/timingRules.ts'
import { timingText } from '#web/text/timing.ts'
import { Field } from '#web/ui/Field.tsx'
import { SelectField } from '#web/ui/SelectField.tsx'
import typography from '#web/ui/theme/typography.module.css'
import type { FieldsOfForm } from './sourceFields.ts'

const speeds = [1, 10, 60]
/** Faster than the server accepts lines, so that its limits decide. */
const fastest = 1000

/** A recorded file, and how fast it is played. */
export function RecordedFields({ register, errors }: FieldsOfForm) {
  return (
    <>
      <Field
        {...register('files', { validate: fileError })}
        type="file"
        accept=".txt,.log,.csv,text/plain"
        label={timingText.recordedFile}
        error={errors.files?.message}
      />
      <SelectField label={timingText.speed} {...register('speed')}>
        {speeds.map(times => (
          <option key={times} value={times}>
            {timingText.speeds(times)}
          </option>
        ))}
        <option value={fastest}>{timingText.fastest}</option>
      </SelectField>
      <p className={typography.sub}>{timingText.recordedHint}</p>
    </>
  )
}

function fileError(files: FileList | null): true | string {
  const [file] = files ?? []
  if (!file) return timingText.recordedMissing
  return file.size <= maxTimingLetters || timingText.recordedTooLarge
}
