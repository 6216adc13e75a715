import { useState } from 'react'
import { useForm } from 'react-hook-form'
import type { Car } from '#contract/roster.ts'
import { maxNameLetters } from '#contract/shared/bounds.ts'
import { refusalText } from '#web/api/refusalText.ts'
import { rosterText } from '#web/text/roster.ts'
import { DialogError, FormDialog, SaveChoices } from '#web/ui/Dialog.tsx'
import { Field } from '#web/ui/Field.tsx'
import { FieldPair } from '#web/ui/FieldPair.tsx'
import { Stack } from '#web/ui/Wrap.tsx'
import { useSaveCar } from './useSaveRoster.ts'

interface Props {
  teamId: string
  /** The edited car; null adds one; undefined closes the dialog. */
  car: Car | null | undefined
  onClose: () => void
}

/** The dialog to add or edit a car, which stays open until the response. */
export function CarDialog({ teamId, car, onClose }: Props) {
  const save = useSaveCar(teamId)
  const close = () => {
    save.reset()
    onClose()
  }
  return (
    <FormDialog
      open={car !== undefined}
      title={car ? rosterText.editCar : rosterText.addCar}
      busy={save.isPending}
      onClose={close}
    >
      <CarForm car={car ?? null} save={save} onClose={close} />
    </FormDialog>
  )
}

interface FormProps {
  car: Car | null
  save: ReturnType<typeof useSaveCar>
  onClose: () => void
}

function CarForm({ car, save, onClose }: FormProps) {
  // Made once: a repeated press saves the same car.
  const [id] = useState(() => car?.id ?? crypto.randomUUID())
  const { register, handleSubmit, formState } = useForm({
    mode: 'onTouched',
    defaultValues: {
      number: car?.number ?? '',
      name: car?.name ?? '',
      carClass: car?.carClass ?? '',
      tankL: litresText(car?.tankL ?? null),
      reserveL: litresText(car?.reserveL ?? null),
      burnL: litresText(car?.burnL ?? null),
    },
  })
  const { errors } = formState
  const litres = { validate: (text: string) => isLitres(text) || rosterText.litresWrong }
  return (
    <form
      noValidate
      onSubmit={event =>
        void handleSubmit(({ number, name, carClass, tankL, reserveL, burnL }) =>
          save.mutate(
            {
              id,
              number,
              name: name.trim() || null,
              carClass: carClass.trim() || null,
              tankL: litresOf(tankL),
              reserveL: litresOf(reserveL),
              burnL: litresOf(burnL),
            },
            { onSuccess: onClose },
          ),
        )(event)
      }
    >
      <Stack>
        <Field
          {...register('number', { validate: numberError })}
          label={rosterText.number}
          error={errors.number?.message}
          placeholder={rosterText.numberExample}
          maxLength={4}
          autoComplete="off"
          autoCapitalize="characters"
        />
        <FieldPair>
          <Field
            {...register('name')}
            label={rosterText.carName}
            placeholder={rosterText.carNameExample}
            maxLength={maxNameLetters}
            autoComplete="off"
          />
          <Field
            {...register('carClass')}
            label={rosterText.carClass}
            placeholder={rosterText.carClassExample}
            maxLength={maxNameLetters}
            autoComplete="off"
          />
        </FieldPair>
        <FieldPair short>
          <Field
            {...register('tankL', litres)}
            label={rosterText.tank}
            error={errors.tankL?.message}
            inputMode="decimal"
            autoComplete="off"
          />
          <Field
            {...register('reserveL', {
              validate: text => isLitres(text, true) || rosterText.litresWrong,
            })}
            label={rosterText.reserve}
            error={errors.reserveL?.message}
            inputMode="decimal"
            autoComplete="off"
          />
        </FieldPair>
        <Field
          {...register('burnL', litres)}
          label={rosterText.burn}
          error={errors.burnL?.message}
          inputMode="decimal"
          autoComplete="off"
        />
        {save.error && <DialogError>{refusalText(save.error)}</DialogError>}
      </Stack>
      <SaveChoices
        cancelLabel={rosterText.cancel}
        saveLabel={rosterText.save}
        valid={formState.isValid}
        busy={save.isPending}
        onCancel={onClose}
      />
    </form>
  )
}

function numberError(text: string): true | string {
  if (text.trim() === '') return rosterText.numberMissing
  return /^\s*[0-9a-z]{1,4}\s*$/i.test(text) || rosterText.numberWrong
}

function isLitres(text: string, orZero = false): boolean {
  const litres = litresOf(text)
  return litres === null ? text.trim() === '' : litres > 0 || (orZero && litres === 0)
}

/** Reads litres as people enter them: 2.5 or 2,5. Null if it is not a number. */
function litresOf(text: string): number | null {
  if (!/^\s*\d{1,4}([.,]\d{1,3})?\s*$/.test(text)) return null
  return Number.parseFloat(text.replace(',', '.'))
}

function litresText(litres: number | null): string {
  return litres === null ? '' : String(litres)
}
