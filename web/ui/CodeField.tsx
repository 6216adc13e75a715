import type { ChangeEvent } from 'react'
import styles from './Field.module.css'
import { Field, type FieldProps } from './Field.tsx'

interface Props extends FieldProps {
  digits: number
}

/** A field for a short code. Removes everything but digits, also from pasted text. */
export function CodeField({ digits, onChange, ...rest }: Props) {
  function removeNonDigits(event: ChangeEvent<HTMLInputElement>) {
    event.target.value = event.target.value.replace(/\D/g, '').slice(0, digits)
    onChange?.(event)
  }
  return (
    <Field
      {...rest}
      {...(styles.code && { className: styles.code })}
      onChange={removeNonDigits}
      inputMode="numeric"
      pattern="[0-9]*"
      autoComplete="one-time-code"
    />
  )
}
