import { CircleAlert } from 'lucide-react'
import { type InputHTMLAttributes, type Ref, useId } from 'react'
import styles from './Field.module.css'

export interface FieldProps extends InputHTMLAttributes<HTMLInputElement> {
  label: string
  /** Validation error, as a sentence. */
  error?: string | undefined
  ref?: Ref<HTMLInputElement>
}

/** A labelled text field. Screen readers read the error below it together with the label. */
export function Field({ label, error, className, ...input }: FieldProps) {
  const id = useId()
  const errorId = `${id}-error`
  return (
    <div className={styles.field}>
      <label htmlFor={id}>{label}</label>
      <input
        {...input}
        id={id}
        className={className ? `${styles.input} ${className}` : styles.input}
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
