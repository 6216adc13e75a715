import { useState } from 'react'
import type { Car } from '#contract/roster.ts'
import { maxNameLetters } from '#contract/shared/bounds.ts'
import { rosterText } from '#web/text/roster.ts'
import { Field } from '#web/ui/Field.tsx'
import { FieldPair } from '#web/ui/FieldPair.tsx'
import { SaveDialog, useSaveForm } from '#web/ui/SaveDialog.tsx'
import typography from '#web/ui/theme/typography.module.css'
import { useSaveCar } from './useSaveRoster.ts'

interface Props {
  teamId: string
  /** The edited car; null adds one. */
  car: Car | null
  onClose: () => void
}

/** The dialog to add or edit a car. */
export function CarDialog({ teamId, car, onClose }: Props) {
  // Made once: a repeated press saves the same car.
  const [id] = useState(() => car?.id ?? crypto.randomUUID())
  const save = useSaveCar(teamId)
  const { register, errors, form } = useSaveForm({
    defaultValues: {
      number: car?.number ?? '',
      name: car?.name ?? '',
      carClass: car?.carClass ?? '',
      tankL: litresText(car?.tankL ?? null),
      reserveL: litresText(car?.reserveL ?? null),
      burnL: litresText(car?.burnL ?? null),
    },
    send: ({ number, name, carClass, tankL, reserveL, burnL }) =>
      save.mutateAsync({
        id,
        number,
        name: name.trim() || null,
        carClass: carClass.trim() || null,
        tankL: litresFrom(tankL),
        reserveL: litresFrom(reserveL),
        burnL: litresFrom(burnL),
      }),
    onSaved: onClose,
  })
  const litres = { validate: (text: string) => isLitres(text) || rosterText.litresWrong }
  return (
    <SaveDialog title={car ? rosterText.editCar : rosterText.addCar} form={form} onClose={onClose}>
      <p className={typography.sub}>{rosterText.onlyNumber}</p>
      <FieldPair short>
        <Field
          {...register('number', { validate: numberError })}
          label={rosterText.number}
          error={errors.number?.message}
          placeholder={rosterText.numberExample}
          maxLength={4}
          autoCapitalize="characters"
        />
        <Field
          {...register('carClass')}
          label={rosterText.carClass}
          placeholder={rosterText.carClassExample}
          maxLength={maxNameLetters}
        />
      </FieldPair>
      <Field
        {...register('name')}
        label={rosterText.carName}
        placeholder={rosterText.carNameExample}
        maxLength={maxNameLetters}
      />
      <FieldPair short>
        <Field
          {...register('tankL', litres)}
          label={rosterText.tank}
          error={errors.tankL?.message}
          inputMode="decimal"
        />
        <Field
          {...register('reserveL', {
            validate: text => isLitres(text, true) || rosterText.litresWrong,
          })}
          label={rosterText.reserve}
          error={errors.reserveL?.message}
          inputMode="decimal"
        />
      </FieldPair>
      <Field
        {...register('burnL', litres)}
        label={rosterText.burn}
        error={errors.burnL?.message}
        inputMode="decimal"
      />
    </SaveDialog>
  )
}

function numberError(text: string): true | string {
  if (text.trim() === '') return rosterText.numberMissing
  return /^\s*[0-9a-z]{1,4}\s*$/i.test(text) || rosterText.numberWrong
}

function isLitres(text: string, orZero = false): boolean {
  const litres = litresFrom(text)
  return litres === null ? text.trim() === '' : litres > 0 || (orZero && litres === 0)
}

/** Reads litres as people enter them: 2.5 or 2,5. Null if it is not a number. */
function litresFrom(text: string): number | null {
  if (!/^\s*\d{1,4}([.,]\d{1,3})?\s*$/.test(text)) return null
  return Number.parseFloat(text.replace(',', '.'))
}

function litresText(litres: number | null): string {
  return litres === null ? '' : String(litres)
}
