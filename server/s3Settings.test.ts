import { expect, test } from 'vitest'
import { readConfig, SettingsRefused } from './config.ts'

const whole = {
  S3_ENDPOINT: 'https://s3.example.com',
  S3_BUCKET: 'pitboard-files',
  S3_REGION: 'eu-west-1',
  S3_ACCESS_KEY_ID: 'AKID',
  S3_SECRET_ACCESS_KEY: 'secret',
}

test('files stay in the data directory unless a store is configured', () => {
  expect(readConfig({}).s3).toBeUndefined()
  expect(readConfig({ S3_BUCKET: '' }).s3).toBeUndefined()
})

test('a store needs its five settings', () => {
  expect(readConfig(whole).s3).toEqual({
    endpoint: 'https://s3.example.com',
    bucket: 'pitboard-files',
    region: 'eu-west-1',
    accessKeyId: 'AKID',
    secretAccessKey: 'secret',
  })
})

test.each(Object.keys(whole))('without %s the others are refused, and it is named', missing => {
  const read = () => readConfig({ ...whole, [missing]: undefined })
  expect(read).toThrow(SettingsRefused)
  expect(read).toThrow(`\n  ${missing} must be set together with`)
})

test.each([
  ['S3_ENDPOINT', 's3.example.com'],
  ['S3_ENDPOINT', 'ftp://s3.example.com'],
  ['S3_ENDPOINT', 'https://example.com/store'],
  ['S3_ENDPOINT', 'https://user:password@example.com'],
  ['S3_BUCKET', 'No Bucket/here'],
  ['S3_REGION', 'eu west'],
  ['S3_ACCESS_KEY_ID', 'AK ID'],
  ['S3_SECRET_ACCESS_KEY', 'sec ret'],
])('%s="%s" is refused by name', (name, value) => {
  expect(() => readConfig({ ...whole, [name]: value })).toThrow(`${name} must`)
})
