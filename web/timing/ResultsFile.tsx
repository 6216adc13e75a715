import { useQuery } from '@tanstack/react-query'
import { type ChangeEvent, useState } from 'react'
import type { Car } from '#contract/roster.ts'
import { RecordingRefused } from '#racing/formats/recordingRefused.ts'
import { textIn } from '#racing/formats/textIn.ts'
import { carRaceOf } from '#racing/race/carRace.ts'
import { leastPassings } from '#racing/timing/calibration.ts'
import { shiftedToGps } from '#racing/timing/clockShift.ts'
import {
  guessedColumns,
  maxResultsBytes,
  type ResultsColumns,
  type ResultsTable,
  readPassings,
  resultsTable,
} from '#racing/timing/resultsFile.ts'
import { raceOfCarQuery } from '#web/race/plan/raceOfCarQuery.ts'
import { timingText } from '#web/text/timing.ts'
import { Field } from '#web/ui/Field.tsx'
import { SelectField } from '#web/ui/SelectField.tsx'
import typography from '#web/ui/theme/typography.module.css'
import { ComparedLine, crossingsOf } from './LineCalibration.tsx'
import styles from './TimingScreen.module.css'

/** Poll interval of the laps, which change after the line was moved. */
const lapsMs = 10_000

interface Props {
  teamId: string
  raceId: string
  /** The team's cars in the race. */
  cars: readonly Car[]
}

/** A results file, read on this device, whose passings are compared with the laps by GPS. */
export function ResultsFile({ teamId, raceId, cars }: Props) {
  const [table, setTable] = useState<ResultsTable | null>(null)
  const [error, setError] = useState<string>()
  const open = async (file: File | undefined) => {
    setTable(null)
    setError(undefined)
    if (!file) return
    if (file.size > maxResultsBytes) return setError(timingText.resultsTooLarge(maxResultsBytes))
    try {
      setTable(resultsTable(textIn(new Uint8Array(await file.arrayBuffer()))))
    } catch (reason) {
      setError(reason instanceof RecordingRefused ? reason.message : timingText.resultsNotRead)
    }
  }
  if (cars.length === 0) return null
  return (
    <section className={styles.main}>
      <h2 className={typography.h2}>{timingText.resultsTitle}</h2>
      <Field
        type="file"
        accept=".csv,.txt,text/csv"
        label={timingText.resultsFile}
        error={error}
        onChange={({ target }) => void open(target.files?.[0])}
      />
      <p className={typography.sub}>{timingText.resultsHint}</p>
      {table && <Columns {...{ teamId, raceId, cars, table }} />}
    </section>
  )
}

/** The columns of the file, guessed and then chosen, and the car. */
function Columns({ teamId, raceId, cars, table }: Props & { table: ResultsTable }) {
  const [columns, setColumns] = useState(() => guessedColumns(table))
  const [carId, setCarId] = useState(cars[0]?.id)
  const car = cars.find(({ id }) => id === carId) ?? cars[0]
  const { time } = columns
  const choices = table.columns.map((name, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: Names may repeat, and the columns do not change.
    <option key={index} value={index}>
      {name || timingText.columnNumber(index + 1)}
    </option>
  ))
  const choose = (column: keyof typeof columns) => ({
    value: columns[column] ?? '',
    onChange: ({ target: { value } }: ChangeEvent<HTMLSelectElement>) =>
      setColumns({ ...columns, [column]: value === '' ? null : Number(value) }),
  })
  return (
    <>
      <SelectField label={timingText.timeColumn} {...choose('time')}>
        <option value="">{timingText.chooseColumn}</option>
        {choices}
      </SelectField>
      <SelectField label={timingText.carColumn} {...choose('car')}>
        <option value="">{timingText.oneCar}</option>
        {choices}
      </SelectField>
      {cars.length > 1 && (
        <SelectField
          label={timingText.columns.car}
          value={car?.id}
          onChange={({ target }) => setCarId(target.value)}
        >
          {cars.map(({ id, number }) => (
            <option key={id} value={id}>
              {number}
            </option>
          ))}
        </SelectField>
      )}
      {car && time !== null && (
        <ComparedFile
          key={car.id}
          {...{ teamId, raceId, car, table }}
          columns={{ ...columns, time }}
        />
      )}
    </>
  )
}

interface ComparedFileProps {
  teamId: string
  raceId: string
  car: Car
  table: ResultsTable
  columns: ResultsColumns
}

function ComparedFile({ teamId, raceId, car: { id, number }, table, columns }: ComparedFileProps) {
  const { data: stored } = useQuery({ ...raceOfCarQuery(raceId, id), refetchInterval: lapsMs })
  if (!stored) return null
  const crossed = crossingsOf(carRaceOf(stored))
  const result = comparable(table, columns, { number, byGps: crossed.map(({ at }) => at) })
  return typeof result === 'string' ? (
    <p role="alert" className={styles.warning}>
      {result}
    </p>
  ) : (
    <ComparedLine {...{ teamId, number, crossed }} official={result} mayMove />
  )
}

interface Compared {
  readonly number: string
  readonly byGps: readonly number[]
}

/** Returns the passings of a file as times of the server, or why they cannot be compared. */
function comparable(
  table: ResultsTable,
  columns: ResultsColumns,
  { number, byGps }: Compared,
): readonly number[] | string {
  try {
    const read = readPassings(table, columns, number)
    if (read.length < leastPassings || byGps.length < leastPassings)
      return timingText.tooFewPassings(number, read.length, byGps.length)
    return shiftedToGps(read, byGps) ?? timingText.noMatch(number)
  } catch (reason) {
    if (reason instanceof RecordingRefused) return reason.message
    throw reason
  }
}
