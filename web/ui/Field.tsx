import { CircleAlert } from 'lucide-react'
import {
  type AriaAttributes,
  type InputHTMLAttributes,
  type ReactNode,
  type Ref,
  useId,
} from 'react'
import styles from './Field.module.css'

export interface LabelProps {
  label: string
  /** Validation error, as a sentence. */
  error?: string | undefined
}

export interface FieldProps extends InputHTMLAttributes<HTMLInputElement>, LabelProps {
  ref?: Ref<HTMLInputElement>
}

/** A labelled text field, which the browser does not fill in by itself. Screen readers read the error below it together with the label. */
export function Field({ label, error, className, ...input }: FieldProps) {
  return (
    <Labelled label={label} error={error}>
      {field => (
        <input
          autoComplete="off"
          {...input}
          {...field}
          className={className ? `${styles.input} ${className}` : styles.input}
        />
      )}
    </Labelled>
  )
}

/** A field for an e-mail address. */
export function EmailField(props: FieldProps) {
  return (
    <Field
      type="email"
      inputMode="email"
      autoComplete="email"
      autoCapitalize="none"
      spellCheck={false}
      {...props}
    />
  )
}

interface LabelledProps extends LabelProps {
  /** Receives the attributes of the field. */
  children: (field: AriaAttributes & { id: string }) => ReactNode
}

/** The label of a field, and the error below it. */
export function Labelled({ label, error, children }: LabelledProps) {
  const id = useId()
  const errorId = `${id}-error`
  return (
    <div className={styles.field}>
      <label htmlFor={id}>{label}</label>
      {children({ id, ...(error && { 'aria-invalid': true, 'aria-describedby': errorId }) })}
      {error && (
        <p className={styles.error} id={errorId}>
          <CircleAlert size={20} aria-hidden />
          {error}
        </p>
      )}
    </div>
  )
}
