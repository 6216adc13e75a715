import { CircleAlert } from 'lucide-react'
import { type Ref, type TextareaHTMLAttributes, useId } from 'react'
import styles from './Field.module.css'

interface Props extends TextareaHTMLAttributes<HTMLTextAreaElement> {
  label: string
  /** Validation error, as a sentence. */
  error?: string | undefined
  ref?: Ref<HTMLTextAreaElement>
}

/**
 * A labelled multi-line text field. Screen readers read the error below it together with the label.
 */
export function TextArea({ label, error, rows = 3, ...input }: Props) {
  const id = useId()
  const errorId = `${id}-error`
  return (
    <div className={styles.field}>
      <label htmlFor={id}>{label}</label>
      <textarea
        {...input}
        id={id}
        rows={rows}
        className={`${styles.input} ${styles.lines}`}
        aria-invalid={error ? true : undefined}
        aria-describedby={error ? errorId : undefined}
      />
      {error && (
        <p className={styles.error} id={errorId}>
          <CircleAlert size={20} aria-hidden />
          {error}
        </p>
      )}
    </div>
  )
}
