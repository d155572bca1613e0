import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { ProofNeedsPrivate } from './get-task-proof.query.js';
import { type LeafPlace, LogParts, type PartPage, type WantedParts } from './log-parts.port.js';

/** Behind the leaves of the sealed log that end up to a position. Throws `ProofNeedsPrivate`. */
export class GetLeafPlace extends Query<LeafPlace> {
  constructor(
    readonly position: bigint,
    readonly wanted: WantedParts,
  ) {
    super();
  }
}

/** The next parts of the sealed log from a place on. */
export class GetLogParts extends Query<PartPage> {
  constructor(
    readonly place: LeafPlace,
    readonly wanted: WantedParts,
  ) {
    super();
  }
}

@QueryHandler(GetLeafPlace)
export class GetLeafPlaceHandler implements IQueryHandler<GetLeafPlace> {
  constructor(private readonly parts: LogParts) {}

  async execute({ position, wanted }: GetLeafPlace): Promise<LeafPlace> {
    if (this.parts.isWhole && !wanted.isPrivate) throw new ProofNeedsPrivate();
    return this.parts.placeAfter(position, wanted);
  }
}

@QueryHandler(GetLogParts)
export class GetLogPartsHandler implements IQueryHandler<GetLogParts> {
  constructor(private readonly parts: LogParts) {}

  execute({ place, wanted }: GetLogParts): Promise<PartPage> {
    return this.parts.from(place, wanted);
  }
}
