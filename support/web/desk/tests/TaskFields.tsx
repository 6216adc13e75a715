import { Trash2 } from 'lucide-react'
import type { FieldErrors, UseFormRegister } from 'react-hook-form'
import type { InputOf } from '#contract/api.ts'
import { deskText } from '#support/web/text/desk.ts'
import { Checkbox } from '#web/ui/Checkbox.tsx'
import { Field } from '#web/ui/Field.tsx'
import { IconButton } from '#web/ui/IconButton.tsx'
import { required } from '#web/ui/required.ts'
import { TextArea } from '#web/ui/TextArea.tsx'
import typography from '#web/ui/theme/typography.module.css'
import { wholeNumber } from '#web/ui/wholeNumber.ts'
import styles from './TaskFields.module.css'

export type NewTest = InputOf<'support.createTest'>

interface Props {
  /** Zero-based position. */
  index: number
  register: UseFormRegister<NewTest>
  errors: FieldErrors<NewTest['tasks'][number]> | undefined
  /** Omitted for the only task. */
  onRemove?: () => void
}

/** The fields of one task in the form of a new test. */
export function TaskFields({ index, register, errors, onRemove }: Props) {
  const number = wholeNumber(index + 1)
  return (
    <fieldset className={styles.task}>
      <legend className={typography.hidden}>{deskText.task(number)}</legend>
      <div className={styles.head} aria-hidden={!onRemove}>
        <span className={typography.h2} aria-hidden>
          {deskText.task(number)}
        </span>
        {onRemove && (
          <IconButton
            label={deskText.removeTask(number)}
            icon={<Trash2 aria-hidden />}
            onPress={onRemove}
          />
        )}
      </div>
      <Field
        {...register(`tasks.${index}.title`, required(deskText.missing))}
        label={deskText.taskTitle}
        error={errors?.title?.message}
        maxLength={80}
        autoComplete="off"
      />
      <TextArea
        {...register(`tasks.${index}.description`)}
        label={deskText.taskText}
        error={errors?.description?.message}
        maxLength={4000}
        rows={2}
      />
      <Checkbox {...register(`tasks.${index}.allowTyping`)} label={deskText.allowTyping} />
    </fieldset>
  )
}
