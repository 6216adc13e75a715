import { z } from 'zod'

/** Settings of any S3-compatible store. All of them or none. */
export const S3Settings = z.object({
  S3_ENDPOINT: z
    .url({
      protocol: /^https?$/,
      error: 'must be an address such as https://s3.eu-west-1.amazonaws.com',
    })
    // Only the origin is used; a path would be ignored silently.
    .refine(isOrigin, 'must be an address without a path, such as https://s3.example.com')
    .optional(),
  S3_BUCKET: z
    .string()
    .regex(
      /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/,
      'must be the name of a bucket, such as pitboard-files',
    )
    .optional(),
  S3_REGION: z
    .string()
    .regex(/^[a-z0-9-]{1,40}$/, 'must be a region such as eu-west-1, or auto')
    .optional(),
  S3_ACCESS_KEY_ID: z.string().regex(/^\S+$/, 'must not contain spaces').optional(),
  S3_SECRET_ACCESS_KEY: z.string().regex(/^\S+$/, 'must not contain spaces').optional(),
})
type S3Settings = z.output<typeof S3Settings>

export interface S3 {
  /** An origin: https://host[:port] */
  endpoint: string
  bucket: string
  region: string
  accessKeyId: string
  secretAccessKey: string
}

const names = Object.keys(S3Settings.shape) as (keyof S3Settings)[]

/** Reports each missing setting if others are present. */
export function requireWholeS3(
  settings: S3Settings,
  context: { addIssue(issue: { code: 'custom'; path: string[]; message: string }): void },
) {
  const there = names.filter(name => settings[name] !== undefined)
  if (there.length === 0) return
  for (const name of names) {
    if (settings[name] !== undefined) continue
    context.addIssue({
      code: 'custom',
      path: [name],
      message: `must be set together with ${there.join(', ')}`,
    })
  }
}

/** Converts the settings; undefined if there are none. */
export function toS3(settings: S3Settings): S3 | undefined {
  const {
    S3_ENDPOINT: endpoint,
    S3_BUCKET: bucket,
    S3_REGION: region,
    S3_ACCESS_KEY_ID: accessKeyId,
    S3_SECRET_ACCESS_KEY: secretAccessKey,
  } = settings
  if (!endpoint || !bucket || !region || !accessKeyId || !secretAccessKey) return undefined
  return { endpoint, bucket, region, accessKeyId, secretAccessKey }
}

function isOrigin(address: string): boolean {
  if (!URL.canParse(address)) return false
  const { pathname, search, hash, username, password } = new URL(address)
  return pathname === '/' && !search && !hash && !username && !password
}
