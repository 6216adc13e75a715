import type { ChangeEvent } from 'react'
import styles from './Field.module.css'
import { Field, type FieldProps } from './Field.tsx'

interface Props extends FieldProps {
  /** How many digits the code has. */
  digits: number
}

/** A field for a short code. Whatever is pasted, its digits stay. */
export function CodeField({ digits, onChange, ...rest }: Props) {
  function keepDigits(event: ChangeEvent<HTMLInputElement>) {
    event.target.value = event.target.value.replace(/\D/g, '').slice(0, digits)
    onChange?.(event)
  }
  return (
    <Field
      {...rest}
      {...(styles.code && { className: styles.code })}
      onChange={keepDigits}
      inputMode="numeric"
      pattern="[0-9]*"
      autoComplete="one-time-code"
    />
  )
}
