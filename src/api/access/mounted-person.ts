import type { FastifyRequest } from 'fastify';
import type { IncomingMessage } from 'node:http';
import { ApiError } from '../problems/api-error.js';
import { isPerson } from './proxied-person.js';

/** The persons of requests that an application passes on, in the same process: no request can say so itself. */
export class MountedPerson {
  private readonly persons = new WeakMap<IncomingMessage, unknown>();

  signIn(request: IncomingMessage, person: unknown): void {
    this.persons.set(request, person);
  }

  /** Throws `UNAUTHENTICATED` if the application passes on a request of nobody. */
  of({ raw }: Pick<FastifyRequest, 'raw'>): string {
    const person = this.persons.get(raw);
    if (isPerson(person)) return person;
    throw new ApiError(
      'UNAUTHENTICATED',
      'Expected the application to say who is signed in, with a name of up to 200 printable characters, but it named nobody',
    );
  }
}
