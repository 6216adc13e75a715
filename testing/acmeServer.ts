import { randomBytes, webcrypto } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import {
  AuthorityKeyIdentifierExtension,
  Pkcs10CertificateRequest,
  X509CertificateGenerator,
} from '@peculiar/x509'
import { listening } from './listening.ts'

const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' }

/** An error as an ACME server answers it (RFC 8555, 6.7), with its status. */
interface Problem {
  status: number
  type: string
  detail: string
}

/** A certificate authority according to RFC 8555 with the faults that a test sets. It checks no challenge. */
export interface AcmeServer extends AsyncDisposable {
  url: string
  /** Counts the orders that were placed, also refused ones. */
  orders: number
  /** Refuses new orders with it; undefined accepts them. */
  problem: Problem | undefined
  /** Closes each connection without an answer. */
  isDown: boolean
  /** Validity of the certificates that it issues. */
  validity: { notBefore: Date; notAfter: Date }
  /** When it suggests to renew the certificate (RFC 9773); the next one gets no suggestion. */
  renewAt: Date | undefined
}

export async function startAcmeServer(validity: AcmeServer['validity']): Promise<AcmeServer> {
  const keys = await webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify'])
  const root = await X509CertificateGenerator.createSelfSigned({
    name: 'CN=Stub authority',
    keys,
    signingAlgorithm: algorithm,
  })
  let issued = ''

  async function issue(csr: string) {
    const request = new Pkcs10CertificateRequest(Buffer.from(csr, 'base64url'))
    const certificate = await X509CertificateGenerator.create({
      ...stub.validity,
      serialNumber: `01${randomBytes(8).toString('hex')}`,
      subject: request.subject,
      issuer: root.subject,
      publicKey: request.publicKey,
      signingKey: keys.privateKey,
      signingAlgorithm: algorithm,
      extensions: [await AuthorityKeyIdentifierExtension.create(keys.publicKey)],
    })
    issued = certificate.toString('pem')
    stub.renewAt = undefined
  }

  async function answer(path: string, payload: Record<string, string>, send: Send) {
    const at = (name: string) => stub.url.replace('/directory', name)
    const order = (status: string) => ({
      status,
      identifiers: [{ type: 'dns', value: 'pit.example.com' }],
      authorizations: [at('/authorization')],
      finalize: at('/finalize'),
      certificate: at('/certificate'),
    })
    switch (path) {
      case '/directory':
        return send(200, {
          newNonce: at('/nonce'),
          newAccount: at('/account'),
          newOrder: at('/order'),
          renewalInfo: at('/renewal'),
          meta: {},
        })
      case '/account':
        return send(201, { status: 'valid' }, { location: at('/account/1') })
      case '/order':
        stub.orders += 1
        return stub.problem
          ? send(stub.problem.status, stub.problem)
          : send(201, order('pending'), { location: at('/order/1') })
      case '/authorization':
        return send(200, {
          status: 'pending',
          identifier: { type: 'dns', value: 'pit.example.com' },
          challenges: ['http-01', 'tls-alpn-01', 'dns-01'].map(type => ({
            type,
            url: at('/challenge'),
            token: 'token',
            status: 'pending',
          })),
        })
      case '/challenge':
        return send(200, { status: 'valid' })
      case '/finalize':
        await issue(payload.csr ?? '')
        return send(200, order('valid'), { location: at('/order/1') })
      case '/order/1':
        return send(200, order(issued ? 'valid' : 'ready'))
      case '/certificate':
        return send(200, issued, { 'content-type': 'application/pem-certificate-chain' })
      default:
        if (!path.startsWith('/renewal/')) return send(200, {})
        return stub.renewAt
          ? send(200, { suggestedWindow: { start: stub.renewAt, end: stub.renewAt } })
          : send(404, {})
    }
  }

  const server = createServer((request, response) => {
    if (stub.isDown) return void request.socket.destroy()
    void payloadOf(request).then(payload => answer(request.url ?? '', payload, sender(response)))
  })
  const { url, [Symbol.asyncDispose]: close } = await listening(server)
  const stub: AcmeServer = {
    url: `${url}/directory`,
    orders: 0,
    problem: undefined,
    isDown: false,
    validity,
    renewAt: undefined,
    [Symbol.asyncDispose]: close,
  }
  return stub
}

type Send = (status: number, body: unknown, headers?: Record<string, string>) => void

function sender(response: ServerResponse): Send {
  return (status, body, headers = {}) => {
    const type = status >= 400 ? 'application/problem+json' : 'application/json'
    response
      .writeHead(status, {
        'replay-nonce': randomBytes(8).toString('base64url'),
        'content-type': type,
        ...headers,
      })
      .end(typeof body === 'string' ? body : JSON.stringify(body))
  }
}

/** The payload of a signed request; the stub does not check signatures. */
async function payloadOf(request: IncomingMessage): Promise<Record<string, string>> {
  const body = await text(request)
  if (body === '') return {}
  const { payload } = JSON.parse(body) as { payload: string }
  return payload === '' ? {} : JSON.parse(String(Buffer.from(payload, 'base64url')))
}
