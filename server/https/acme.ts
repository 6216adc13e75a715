import { AuthorityKeyIdentifierExtension, X509Certificate } from '@peculiar/x509'
import acme from 'acme-client'
import type { EpochMs } from '#contract/ids.ts'
import type { TlsCertificate } from './authority.ts'

// The package repeats failed requests itself, waits as long as the authority demands, and then hides a failure of the network
// behind a TypeError. The schedule of renewals repeats whole orders instead.
acme.axios.interceptors.request.clear()
acme.axios.interceptors.response.clear()
Object.assign(acme.axios.defaults, { timeout: 30_000, validateStatus: () => true })

export type ChallengeType = 'http-01' | 'tls-alpn-01' | 'dns-01'

/** The proof of owning the name, which the authority looks for. */
export interface Challenge {
  type: ChallengeType
  host: string
  token: string
  /** The content of the file or of the TXT record. */
  keyAuthorization: string
  /** The certificate of `tls-alpn-01`. */
  certificate(): Promise<TlsCertificate>
}

interface Order {
  directoryUrl: string
  host: string
  /** Private key of the account, in PEM. The authority knows the account by it. */
  accountKey: string
  challenge: ChallengeType
  /** Resolves once the authority can find the challenge. */
  present(challenge: Challenge): Promise<void>
  withdraw(): Promise<void>
}

/** Orders a certificate by ACME (RFC 8555). Rejects with the authority's sentence. */
export async function orderCertificate(order: Order): Promise<TlsCertificate> {
  const client = new acme.Client({
    directoryUrl: order.directoryUrl,
    accountKey: order.accountKey,
    backoffMin: 1000,
  })
  // The package updates an account that exists already, which some authorities refuse, unless it only asks for it.
  await client
    .createAccount({ onlyReturnExisting: true })
    .catch(() => client.createAccount({ termsOfServiceAgreed: true }))
  const key = await createKey()
  const [, csr] = await acme.crypto.createCsr(
    { commonName: order.host, altNames: [order.host] },
    key,
  )
  const cert = await client.auto({
    csr,
    // The authority reaches this machine from outside: a check from here would prove nothing.
    skipChallengeVerification: true,
    challengePriority: [order.challenge],
    async challengeCreateFn(authorization, { type, token }, keyAuthorization) {
      if (type !== order.challenge)
        throw new Error(`The authority does not offer ${order.challenge}`)
      await order.present({
        type: order.challenge,
        host: order.host,
        token,
        keyAuthorization,
        async certificate() {
          const made = await acme.crypto.createAlpnCertificate(authorization, keyAuthorization)
          return { key: String(made[0]), cert: String(made[1]) }
        },
      })
    },
    challengeRemoveFn: () => order.withdraw(),
  })
  return { cert, key }
}

/** Makes a private key, in PEM. */
export async function createKey(): Promise<string> {
  return String(await acme.crypto.createPrivateEcdsaKey())
}

/**
 * Returns when the authority suggests to renew a certificate (RFC 9773): at once if it was or will be revoked. Undefined
 * if the authority makes no suggestions.
 */
export async function suggestedRenewal(
  directoryUrl: string,
  cert: string,
): Promise<EpochMs | undefined> {
  const { data: directory } = await acme.axios.get<{ renewalInfo?: string }>(directoryUrl)
  const id = renewalId(cert)
  if (directory.renewalInfo === undefined || id === undefined) return undefined
  const { data, status } = await acme.axios.get<{ suggestedWindow?: { start: string } }>(
    `${directory.renewalInfo}/${id}`,
  )
  const start = Date.parse(data.suggestedWindow?.start ?? '')
  return status === 200 && Number.isFinite(start) ? start : undefined
}

function renewalId(cert: string): string | undefined {
  const certificate = new X509Certificate(cert)
  const issuer = certificate.getExtension(AuthorityKeyIdentifierExtension)?.keyId
  if (issuer === undefined) return undefined
  return [issuer, certificate.serialNumber]
    .map(hex => Buffer.from(hex, 'hex').toString('base64url'))
    .join('.')
}
