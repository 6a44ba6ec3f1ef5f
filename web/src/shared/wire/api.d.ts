/* Generated from openapi.json by `npm run wire`. Changes made here are lost. */

export interface paths {
    "/api/annon-message": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Sends an anonymous note. The answer comes after the note is on disk. */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["SendNote"];
                };
            };
            responses: {
                /** @description Created */
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Outcome"];
                    };
                };
                /** @description The body isn't JSON, or a field is missing or has the wrong type */
                400: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description The page isn't available right now */
                403: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Not Found */
                404: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description The body took too long to arrive */
                408: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description The inbox is full or paused, or sealed differently, or the conversation can't begin: then the note isn't stored */
                409: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description The body is too large */
                413: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description The `Content-Type` isn't JSON */
                415: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Unprocessable Entity */
                422: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description The inbox is under its shield and doesn't know the tag. Without a tag the code is `tag_needed`, and there is no `shield` */
                428: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Too Many Requests */
                429: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Service Unavailable */
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Insufficient Storage */
                507: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/annon/{username}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Returns what a personal page shows, and the id that notes to its owner are sent to. */
        get: {
            parameters: {
                query?: {
                    /**
                     * @description The tag that the note will have: then `shield` tells the work that it needs
                     * @example AAAAAAAAehwAAAAAAAAAAQ
                     */
                    tag?: string;
                };
                header?: never;
                path: {
                    /**
                     * @description The username, in upper or lower case
                     * @example some-body
                     */
                    username: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description OK */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Recipient"];
                    };
                };
                /** @description The page isn't available right now */
                403: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Not Found */
                404: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Unprocessable Entity */
                422: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Too Many Requests */
                429: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Service Unavailable */
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/annon/{username}/answers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Lists somebody's public answers, newest first. */
        get: {
            parameters: {
                query?: {
                    /**
                     * @description Only answers older than the one with this id
                     * @example AAAAAAAAehwAAAAAAAAAAQ
                     */
                    before?: string;
                    /** @description At most this many answers; 20 by default */
                    limit?: number;
                };
                header?: never;
                path: {
                    /**
                     * @description The username, in upper or lower case
                     * @example some-body
                     */
                    username: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description OK */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["AnswerList"];
                    };
                };
                /** @description Bad Request */
                400: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description The page isn't available right now */
                403: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Not Found */
                404: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Too Many Requests */
                429: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Service Unavailable */
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/annon/{username}/answers/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Returns one public answer. */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /**
                     * @description The username, in upper or lower case
                     * @example some-body
                     */
                    username: string;
                    /**
                     * @description The answer's id
                     * @example AAAAAAAAehwAAAAAAAAAAQ
                     */
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description OK */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["AnswerShown"];
                    };
                };
                /** @description The page isn't available right now */
                403: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Not Found */
                404: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Too Many Requests */
                429: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Service Unavailable */
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/block/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Ends a block. */
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /**
                     * @description The block's id
                     * @example 01890a5d-ac96-774b-bcce-b302099a8057
                     */
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description OK */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Outcome"];
                    };
                };
                /** @description Unauthorized */
                401: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Not Found */
                404: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Service Unavailable */
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Insufficient Storage */
                507: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
            };
        };
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/blocks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Lists the blocks, newest first. */
        get: {
            parameters: {
                query?: {
                    /**
                     * @description Only blocks older than the one with this id
                     * @example 01890a5d-ac96-774b-bcce-b302099a8057
                     */
                    before?: string;
                    /** @description At most this many blocks; 50 by default */
                    limit?: number;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description OK */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["BlockList"];
                    };
                };
                /** @description Bad Request */
                400: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Unauthorized */
                401: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description The block that `before` names has ended */
                404: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Service Unavailable */
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/confirm-email": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Confirms the address: from now on it can sign in and reset the password.
         * @description Opening the link's page confirms nothing, because mail scanners open every
         *     link.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["ConfirmEmail"];
                };
            };
            responses: {
                /** @description OK */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Outcome"];
                    };
                };
                /** @description The link was already used or is too old */
                400: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description The body took too long to arrive */
                408: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Another account confirmed the address first */
                409: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description The body is too large */
                413: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description The `Content-Type` isn't JSON */
                415: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Unprocessable Entity */
                422: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Too Many Requests */
                429: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Service Unavailable */
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Insufficient Storage */
                507: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
            };
        };
        /**
         * Ends a confirmation link, for somebody who says that the account isn't
         *     theirs.
         */
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["ConfirmEmail"];
                };
            };
            responses: {
                /** @description OK */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Outcome"];
                    };
                };
                /** @description The link was already used or is too old */
                400: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description The body took too long to arrive */
                408: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description The body is too large */
                413: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description The `Content-Type` isn't JSON */
                415: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Unprocessable Entity */
                422: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Too Many Requests */
                429: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Service Unavailable */
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Insufficient Storage */
                507: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
            };
        };
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/confirm-email/account": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Returns the account that a confirmation link would give the address to.
         * @description Whoever opens the link has to see the account before they confirm, because
         *     anybody can sign up with anybody's address. The link still works afterwards.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["ConfirmEmail"];
                };
            };
            responses: {
                /** @description OK */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["LinkOwner"];
                    };
                };
                /** @description The link was already used or is too old */
                400: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description The body took too long to arrive */
                408: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description The body is too large */
                413: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description The `Content-Type` isn't JSON */
                415: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Unprocessable Entity */
                422: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Too Many Requests */
                429: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Service Unavailable */
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/conversation/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Shows a conversation. Nothing counts as seen because of it. */
        get: {
            parameters: {
                query?: {
                    /** @description Only lines with a smaller `seq` */
                    before?: number;
                    /** @description At most this many lines; 200 by default */
                    limit?: number;
                };
                header?: never;
                path: {
                    /**
                     * @description The conversation's id
                     * @example AAAAAAAAehwAAAAAAAAAAQ
                     */
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description OK */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ConversationShown"];
                    };
                };
                /** @description Bad Request */
                400: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Unauthorized */
                401: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Not Found */
                404: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Too Many Requests */
                429: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Service Unavailable */
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
            };
        };
        put?: never;
        /**
         * Says something. The answer comes after it is on disk.
         * @description What the other side has said so far counts as seen then.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /**
                     * @description The conversation's id
                     * @example AAAAAAAAehwAAAAAAAAAAQ
                     */
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["SayLine"];
                };
            };
            responses: {
                /** @description Created */
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["LineSaid"];
                    };
                };
                /** @description The body isn't JSON, or a field is missing or has the wrong type */
                400: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Unauthorized */
                401: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description The account is suspended */
                403: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Not Found */
                404: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description The body took too long to arrive */
                408: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description It is closed or full, or the sender has to wait for an answer */
                409: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description The body is too large */
                413: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description The `Content-Type` isn't JSON */
                415: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Unprocessable Entity */
                422: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Too Many Requests */
                429: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Service Unavailable */
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Insufficient Storage */
                507: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
            };
        };
        /**
         * Ends a conversation for both sides, at once.
         * @description The answer comes after the key that encrypted it is destroyed. The note stays.
         */
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /**
                     * @description The conversation's id
                     * @example AAAAAAAAehwAAAAAAAAAAQ
                     */
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description OK */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Outcome"];
                    };
                };
                /** @description Unauthorized */
                401: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Not Found */
                404: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Too Many Requests */
                429: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Service Unavailable */
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Insufficient Storage */
                507: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
            };
        };
        options?: never;
        head?: never;
        /** Closes a conversation, or marks lines as seen. */
        patch: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /**
                     * @description The conversation's id
                     * @example AAAAAAAAehwAAAAAAAAAAQ
                     */
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["ChangeConversation"];
                };
            };
            responses: {
                /** @description OK */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Outcome"];
                    };
                };
                /** @description The body isn't JSON, or a field is missing or has the wrong type */
                400: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Unauthorized */
                401: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Forbidden */
                403: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Not Found */
                404: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description The body took too long to arrive */
                408: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description The body is too large */
                413: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description The `Content-Type` isn't JSON */
                415: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Unprocessable Entity */
                422: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Too Many Requests */
                429: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Service Unavailable */
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Insufficient Storage */
                507: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
            };
        };
        trace?: never;
    };
    "/api/conversation/{id}/line/{seq}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Unsends a line of one's own, within five minutes. */
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /**
                     * @description The conversation's id
                     * @example AAAAAAAAehwAAAAAAAAAAQ
                     */
                    id: string;
                    /** @description The line's `seq` */
                    seq: number;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description OK */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Outcome"];
                    };
                };
                /** @description Unauthorized */
                401: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Forbidden */
                403: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Not Found */
                404: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Too Many Requests */
                429: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Service Unavailable */
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Insufficient Storage */
                507: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
            };
        };
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/conversation/{id}/push": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Returns the sender's subscriptions to web push. */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /**
                     * @description The conversation's id
                     * @example AAAAAAAAehwAAAAAAAAAAQ
                     */
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description OK */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["PushShown"];
                    };
                };
                /** @description Unauthorized */
                401: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Not Found */
                404: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Too Many Requests */
                429: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Service Unavailable */
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
            };
        };
        /** Has a browser of the sender told of answers. One with the same address is replaced, and the oldest if there are ten. */
        put: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /**
                     * @description The conversation's id
                     * @example AAAAAAAAehwAAAAAAAAAAQ
                     */
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["SubscribeHere"];
                };
            };
            responses: {
                /** @description OK */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Subscribed"];
                    };
                };
                /** @description The body isn't JSON, or a field is missing or has the wrong type */
                400: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Unauthorized */
                401: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Not Found */
                404: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description The body took too long to arrive */
                408: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description The body is too large */
                413: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description The `Content-Type` isn't JSON */
                415: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Too Many Requests */
                429: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Service Unavailable */
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Insufficient Storage */
                507: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
            };
        };
        post?: never;
        /** Ends subscriptions of the sender: all, or one. */
        delete: {
            parameters: {
                query?: {
                    /** @description Only the one with this id */
                    subscription?: string;
                };
                header?: never;
                path: {
                    /**
                     * @description The conversation's id
                     * @example AAAAAAAAehwAAAAAAAAAAQ
                     */
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description OK */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Outcome"];
                    };
                };
                /** @description Unauthorized */
                401: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Not Found */
                404: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Too Many Requests */
                429: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Service Unavailable */
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
            };
        };
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/conversation/{id}/socket": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Opens a WebSocket for a conversation.
         * @description The second subprotocol shows whose it is: `Sec-WebSocket-Protocol: bearer, <token>` for the
         *     owner, `annon-key, <key>` for the sender. The client begins with
         *     `{"event":"event.connect","since":<seq>}`; `since` is the last `seq` it has, and may be left
         *     out. The server sends what came after it, then an `event.ready`, and from then on everything
         *     as it happens: `event.line`, `event.seen`, `event.unsend` and `event.open`. The client can
         *     send `{"event":"event.seen","seq":<seq>}` when all lines up to that one were seen, and
         *     `event.connect` again to test whether the connection still works. It says something with
         *     `{"event":"event.line","id":<id>,"message":<text>}`, as the call does: the line comes back as
         *     an `event.line` once it is on disk, or an `event.error` with its `id` says why it isn't said.
         *     A `reply` with the `seq` of another line answers that one. With
         *     `{"event":"event.react","id":<id>,"line":<seq>,"emoji":<emoji>,"on":true}` it reacts to a line, or
         *     takes that back: an `event.react` tells both sides all reactions that the line has then.
         *     With `{"event":"event.typing"}` the other side's windows that are open now are told that somebody
         *     is writing.
         */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /**
                     * @description The conversation's id
                     * @example AAAAAAAAehwAAAAAAAAAAQ
                     */
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description A WebSocket */
                101: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
                /** @description Bad Request */
                400: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Unauthorized */
                401: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description The request comes from another site's page */
                403: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Not Found */
                404: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Too Many Requests */
                429: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Service Unavailable */
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/conversations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Lists the caller's conversations, the one with the newest line first. */
        get: {
            parameters: {
                query?: {
                    /**
                     * @description Only those that come after the one with this id
                     * @example AAAAAAAAehwAAAAAAAAAAQ
                     */
                    before?: string;
                    /** @description At most this many; 50 by default */
                    limit?: number;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description OK */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ConversationList"];
                    };
                };
                /** @description Bad Request */
                400: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Unauthorized */
                401: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Too Many Requests */
                429: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Service Unavailable */
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/conversations/peek": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Tells a sender's browser which of its conversations have an answer. Those that aren't there
         *     are left out, and so are those with a wrong key.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["PeekForm"];
                };
            };
            responses: {
                /** @description OK */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["PeekList"];
                    };
                };
                /** @description The body isn't JSON, or a field is missing or has the wrong type */
                400: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description The body took too long to arrive */
                408: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description The body is too large */
                413: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description The `Content-Type` isn't JSON */
                415: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Unprocessable Entity */
                422: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Too Many Requests */
                429: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Service Unavailable */
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/dashboard": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Returns the signed-in account. */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description OK */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Dashboard"];
                    };
                };
                /** @description Unauthorized */
                401: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Service Unavailable */
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/digest": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Tells whether the caller gets a digest. */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description OK */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["DigestShown"];
                    };
                };
                /** @description Unauthorized */
                401: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Service Unavailable */
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
            };
        };
        /**
         * Switches the caller's digest on or off.
         * @description It comes once a day at most, and only if something has come that the caller hasn't seen. It has numbers, and no
         *     words of anybody.
         */
        put: {
            parameters: {
                query?: never;
                header?: {
                    /**
                     * @description The language of the mail: en or de
                     * @example de-DE,de;q=0.9,en;q=0.5
                     */
                    "Accept-Language"?: string;
                };
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["SetDigest"];
                };
            };
            responses: {
                /** @description OK */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Outcome"];
                    };
                };
                /** @description The body isn't JSON, or a field is missing or has the wrong type */
                400: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Unauthorized */
                401: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description The body took too long to arrive */
                408: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description The caller's address isn't confirmed */
                409: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description The body is too large */
                413: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description The `Content-Type` isn't JSON */
                415: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Too Many Requests */
                429: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Service Unavailable */
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Insufficient Storage */
                507: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
            };
        };
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/feedback": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Sends feedback to the operator. */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "multipart/form-data": components["schemas"]["FeedbackForm"];
                };
            };
            responses: {
                /** @description Created */
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Outcome"];
                    };
                };
                /** @description Bad Request */
                400: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description The request comes from another site's page */
                403: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Request Timeout */
                408: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Payload Too Large */
                413: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Unsupported Media Type */
                415: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Unprocessable Entity */
                422: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Too Many Requests */
                429: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Service Unavailable */
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Insufficient Storage */
                507: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/inbox": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Returns the settings of the inbox. */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description OK */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["InboxSettings"];
                    };
                };
                /** @description Unauthorized */
                401: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Service Unavailable */
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /** Changes the settings of the inbox. */
        patch: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["SetInbox"];
                };
            };
            responses: {
                /** @description OK */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["InboxSettings"];
                    };
                };
                /** @description The body isn't JSON, or a field is missing or has the wrong type */
                400: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Unauthorized */
                401: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description The account is suspended */
                403: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description The body took too long to arrive */
                408: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description The body is too large */
                413: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description The `Content-Type` isn't JSON */
                415: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Unprocessable Entity */
                422: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Service Unavailable */
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Insufficient Storage */
                507: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
            };
        };
        trace?: never;
    };
    "/api/inbox/socket": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Opens a WebSocket for the caller's inbox.
         * @description The token is sent as the second subprotocol:
         *     `Sec-WebSocket-Protocol: bearer, <token>`. After `event.ready`, the server
         *     sends an `event.inbox` for every new note and every change of the unread
         *     count, and an `event.room` when one of the caller's groups has changed. A
         *     client can send `{"event":"event.connect"}` to test whether the connection
         *     still works: the server replies with `event.ready`. With `{"event":"event.visible","on":false}` it
         *     says that nobody sees its page any more, and with `true` that somebody does: only while a page is
         *     seen no browser is told of notes by web push.
         */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description A WebSocket */
                101: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
                /** @description Bad Request */
                400: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Unauthorized */
                401: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description The request comes from another site's page */
                403: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Too Many Requests */
                429: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Service Unavailable */
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/login": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Signs in with a username or address and a password. */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["Login"];
                };
            };
            responses: {
                /** @description OK */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["LoggedIn"];
                    };
                };
                /** @description The body isn't JSON, or a field is missing or has the wrong type */
                400: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Unknown user or wrong password */
                401: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description The body took too long to arrive */
                408: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description The body is too large */
                413: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description The `Content-Type` isn't JSON */
                415: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Unprocessable Entity */
                422: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Too Many Requests */
                429: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Service Unavailable */
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/logout": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Signs out: the token of this call stops working. */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description OK */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Outcome"];
                    };
                };
                /** @description Unauthorized */
                401: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Service Unavailable */
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Insufficient Storage */
                507: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/mark_as_seen/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Marks a note as seen. A second call changes nothing. */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /**
                     * @description The note's id
                     * @example 01890a5d-ac96-774b-bcce-b302099a8057
                     */
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description OK */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Unread"];
                    };
                };
                /** @description Unauthorized */
                401: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Not Found */
                404: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Service Unavailable */
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Insufficient Storage */
                507: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/message/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Deletes a note. */
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /**
                     * @description The note's id
                     * @example 01890a5d-ac96-774b-bcce-b302099a8057
                     */
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description OK */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Unread"];
                    };
                };
                /** @description Unauthorized */
                401: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Not Found */
                404: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Service Unavailable */
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Insufficient Storage */
                507: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
            };
        };
        options?: never;
        head?: never;
        /** Marks a note with a star, archives it, or takes that back. A second call changes nothing. */
        patch: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /**
                     * @description The note's id
                     * @example 01890a5d-ac96-774b-bcce-b302099a8057
                     */
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["FlagNote"];
                };
            };
            responses: {
                /** @description OK */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Unread"];
                    };
                };
                /** @description The body isn't JSON, or a field is missing or has the wrong type */
                400: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Unauthorized */
                401: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Not Found */
                404: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description The body took too long to arrive */
                408: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description The body is too large */
                413: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description The `Content-Type` isn't JSON */
                415: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Unprocessable Entity */
                422: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Service Unavailable */
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Insufficient Storage */
                507: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
            };
        };
        trace?: never;
    };
    "/api/message/{id}/answer": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Answers a note in public. Note and answer can be read by everybody then.
         * @description A second call words the answer anew; its link stays.
         */
        put: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /**
                     * @description The note's id
                     * @example 01890a5d-ac96-774b-bcce-b302099a8057
                     */
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["PublishAnswer"];
                };
            };
            responses: {
                /** @description OK */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["AnswerShown"];
                    };
                };
                /** @description The body isn't JSON, or a field is missing or has the wrong type */
                400: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Unauthorized */
                401: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description The account is suspended */
                403: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Not Found */
                404: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description The body took too long to arrive */
                408: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description The note's sender has said that it is only for its owner */
                409: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description The body is too large */
                413: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description The `Content-Type` isn't JSON */
                415: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Unprocessable Entity */
                422: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Too Many Requests */
                429: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Service Unavailable */
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Insufficient Storage */
                507: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
            };
        };
        post?: never;
        /**
         * Takes a public answer down: nobody can read it any more.
         * @description The note stays in the inbox. A second call changes nothing.
         */
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /**
                     * @description The note's id
                     * @example 01890a5d-ac96-774b-bcce-b302099a8057
                     */
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description OK */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Outcome"];
                    };
                };
                /** @description Unauthorized */
                401: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Not Found */
                404: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Too Many Requests */
                429: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Service Unavailable */
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Insufficient Storage */
                507: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
            };
        };
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/message/{id}/block": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Blocks whoever sent a note. They don't learn it, and nothing tells which other notes are theirs. */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /**
                     * @description The note's id
                     * @example 01890a5d-ac96-774b-bcce-b302099a8057
                     */
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description OK */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Outcome"];
                    };
                };
                /** @description Unauthorized */
                401: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Not Found */
                404: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Nothing is known of its sender any more, or there are too many blocks */
                409: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Service Unavailable */
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Insufficient Storage */
                507: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/message/{id}/show": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Moves a note that was held back to the inbox, as if it came now. It gets another id. */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /**
                     * @description The note's id
                     * @example 01890a5d-ac96-774b-bcce-b302099a8057
                     */
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description OK */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Shown"];
                    };
                };
                /** @description Unauthorized */
                401: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Not Found */
                404: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description The inbox is full */
                409: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Service Unavailable */
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Insufficient Storage */
                507: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/messages": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Lists notes, newest first: without `held`, `starred` or `archived` all that are not archived. */
        get: {
            parameters: {
                query?: {
                    /** @description With true, the notes that were held back; then `message` is 0 */
                    held?: boolean;
                    /** @description With true, the notes in the archive; `held` comes before it */
                    archived?: boolean;
                    /** @description With true, the notes with a star, archived or not; the other two come before it */
                    starred?: boolean;
                    /**
                     * @description Only notes older than the one with this id
                     * @example 01890a5d-ac96-774b-bcce-b302099a8057
                     */
                    before?: string;
                    /** @description At most this many notes; 50 by default */
                    limit?: number;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description OK */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["NoteList"];
                    };
                };
                /** @description Bad Request */
                400: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Unauthorized */
                401: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Too Many Requests */
                429: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Service Unavailable */
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        /**
         * Deletes every note, including those that wait for delivery.
         * @description The answer comes after the key that encrypted them is destroyed.
         */
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description OK */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Unread"];
                    };
                };
                /** @description Unauthorized */
                401: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Not Found */
                404: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Service Unavailable */
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Insufficient Storage */
                507: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
            };
        };
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/openapi.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Returns this description. */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description OpenAPI 3.1 */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": unknown;
                    };
                };
                /** @description Too Many Requests */
                429: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/page": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Returns what the caller has set up of their personal page. */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description OK */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["PageShown"];
                    };
                };
                /** @description Unauthorized */
                401: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Service Unavailable */
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /** Changes what the caller has set up of their personal page. */
        patch: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["SetPage"];
                };
            };
            responses: {
                /** @description OK */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["PageShown"];
                    };
                };
                /** @description The body isn't JSON, or a field is missing or has the wrong type */
                400: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Unauthorized */
                401: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description The account is suspended */
                403: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description The body took too long to arrive */
                408: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description The body is too large */
                413: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description The `Content-Type` isn't JSON */
                415: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Unprocessable Entity */
                422: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Too Many Requests */
                429: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Service Unavailable */
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Insufficient Storage */
                507: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
            };
        };
        trace?: never;
    };
    "/api/password-reset": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Mails a reset link if an account has this address.
         * @description The answer doesn't tell whether one does.
         */
        post: {
            parameters: {
                query?: never;
                header?: {
                    /**
                     * @description The language of the mail: en or de
                     * @example de-DE,de;q=0.9,en;q=0.5
                     */
                    "Accept-Language"?: string;
                };
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["ResetRequest"];
                };
            };
            responses: {
                /** @description OK */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Outcome"];
                    };
                };
                /** @description The body isn't JSON, or a field is missing or has the wrong type */
                400: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description The body took too long to arrive */
                408: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description The body is too large */
                413: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description The `Content-Type` isn't JSON */
                415: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Unprocessable Entity */
                422: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Too Many Requests */
                429: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/password-reset/confirm": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Sets a new password.
         * @description The link stops working, and so does every token of the account.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["ResetConfirm"];
                };
            };
            responses: {
                /** @description OK */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["PasswordSet"];
                    };
                };
                /** @description The link was already used or is too old */
                400: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description The body took too long to arrive */
                408: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description The body is too large */
                413: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description The `Content-Type` isn't JSON */
                415: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Unprocessable Entity */
                422: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Too Many Requests */
                429: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Service Unavailable */
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Insufficient Storage */
                507: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/push": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Returns the caller's subscriptions to web push. */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description OK */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["PushShown"];
                    };
                };
                /** @description Unauthorized */
                401: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Service Unavailable */
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
            };
        };
        /** Has a browser of the caller told. One with the same address is replaced, and the oldest if there are ten. */
        put: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["Subscribe"];
                };
            };
            responses: {
                /** @description OK */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Subscribed"];
                    };
                };
                /** @description The body isn't JSON, or a field is missing or has the wrong type */
                400: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Unauthorized */
                401: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description The body took too long to arrive */
                408: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description The body is too large */
                413: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description The `Content-Type` isn't JSON */
                415: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Too Many Requests */
                429: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Service Unavailable */
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Insufficient Storage */
                507: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
            };
        };
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/push/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Ends a subscription of the caller. */
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /**
                     * @description The subscription
                     * @example AAAAAAAAehwAAAAAAAAAAQ
                     */
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description OK */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Outcome"];
                    };
                };
                /** @description Unauthorized */
                401: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Not Found */
                404: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Service Unavailable */
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
            };
        };
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/register": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Creates an account.
         * @description If the server sends mail, the address has to be confirmed with a mailed
         *     link. The answer is then the same whether or not another account has it.
         */
        post: {
            parameters: {
                query?: never;
                header?: {
                    /**
                     * @description The language of the mail: en or de
                     * @example de-DE,de;q=0.9,en;q=0.5
                     */
                    "Accept-Language"?: string;
                };
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["Register"];
                };
            };
            responses: {
                /** @description Created */
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["SignedUp"];
                    };
                };
                /** @description The body isn't JSON, or a field is missing or has the wrong type */
                400: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Sign-up is closed, or needs an invitation that works */
                403: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description The body took too long to arrive */
                408: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description The username is taken. On a server that sends no mail: or the address is taken */
                409: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description The body is too large */
                413: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description The `Content-Type` isn't JSON */
                415: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description A field is invalid */
                422: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Too Many Requests */
                429: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Service Unavailable */
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description The disk is nearly full, or the server has its maximum number of accounts */
                507: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/report": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Reports something to the operator.
         * @description The operator sees what is reported, with the words and pictures as they are stored, and what
         *     the caller adds. Who the caller is isn't kept.
         */
        post: {
            parameters: {
                query?: never;
                header?: {
                    /**
                     * @description For a browser that keeps no cookies: the value that this header had in
                     *     the answer to taking a seat, or `new` to ask for one
                     * @example new
                     */
                    "Annon-Seat"?: string;
                };
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["SendReport"];
                };
            };
            responses: {
                /** @description Created */
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ReportSent"];
                    };
                };
                /** @description The body isn't JSON, or a field is missing or has the wrong type */
                400: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description A note is reported by its owner, who shows a token */
                401: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description The caller has no seat in the group */
                403: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Not Found */
                404: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description The body took too long to arrive */
                408: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description The body is too large */
                413: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description The `Content-Type` isn't JSON */
                415: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Unprocessable Entity */
                422: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Too Many Requests */
                429: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Service Unavailable */
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Insufficient Storage */
                507: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/report/receipt": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Tells how a report stands. 404 for a number that no report has, and for one whose report is gone. */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["ShowReceipt"];
                };
            };
            responses: {
                /** @description OK */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Standing"];
                    };
                };
                /** @description The body isn't JSON, or a field is missing or has the wrong type */
                400: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Not Found */
                404: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description The body took too long to arrive */
                408: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description The body is too large */
                413: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description The `Content-Type` isn't JSON */
                415: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Too Many Requests */
                429: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Service Unavailable */
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/room-emoji/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Takes a seat, or returns the seat the caller already has. The body is the
         *     emoji. If the group asks first, its creator comes in by their token.
         */
        get: {
            parameters: {
                query?: never;
                header?: {
                    /**
                     * @description For a browser that keeps no cookies: the value that this header had in
                     *     the answer to taking a seat, or `new` to ask for one
                     * @example new
                     */
                    "Annon-Seat"?: string;
                };
                path: {
                    /**
                     * @description The group's id
                     * @example 01890a5d-ac96-774b-bcce-b302099a8057
                     */
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The emoji, as a JSON string */
                200: {
                    headers: {
                        /** @description The seat, if the request has this header */
                        "Annon-Seat"?: string | null;
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": string;
                    };
                };
                /** @description The group is full or locked, the caller was removed from it, or the request comes from another site's page */
                403: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Not Found */
                404: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Too Many Requests */
                429: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Service Unavailable */
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Insufficient Storage */
                507: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/room/create": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Creates a group. */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["CreateRoom"];
                };
            };
            responses: {
                /** @description Created */
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Created"];
                    };
                };
                /** @description The body isn't JSON, or a field is missing or has the wrong type */
                400: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Unauthorized */
                401: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description The account is suspended */
                403: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description The body took too long to arrive */
                408: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description The account has too many groups */
                409: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description The body is too large */
                413: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description The `Content-Type` isn't JSON */
                415: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Unprocessable Entity */
                422: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Service Unavailable */
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Insufficient Storage */
                507: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/room/upload-image": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Stores a picture for a group in which the caller has a seat.
         * @description The server re-encodes the picture and keeps nothing but its pixels. In a sealed group it can't, and keeps what the
         *     browser has sealed.
         */
        post: {
            parameters: {
                query?: never;
                header?: {
                    /**
                     * @description For a browser that keeps no cookies: the value that this header had in
                     *     the answer to taking a seat, or `new` to ask for one
                     * @example new
                     */
                    "Annon-Seat"?: string;
                };
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["Upload"];
                };
            };
            responses: {
                /** @description Created */
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Uploaded"];
                    };
                };
                /** @description The body isn't JSON, or a field is missing or has the wrong type */
                400: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Forbidden */
                403: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Not Found */
                404: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description The body took too long to arrive */
                408: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description The group has no room for more pictures */
                409: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description The body is too large */
                413: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description The `Content-Type` isn't JSON */
                415: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Unprocessable Entity */
                422: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Too Many Requests */
                429: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Service Unavailable */
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Insufficient Storage */
                507: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/room/valid/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Answers 200 if a group is active, and 404 if not. */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /**
                     * @description The group's id
                     * @example 01890a5d-ac96-774b-bcce-b302099a8057
                     */
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description OK */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Alive"];
                    };
                };
                /** @description Not Found */
                404: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Too Many Requests */
                429: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Service Unavailable */
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/room/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Shows a group.
         * @description Without a seat the answer has no members and no messages. When the server
         *     shows a member the messages for the first time, it tells the other members
         *     that this member joined.
         */
        get: {
            parameters: {
                query?: {
                    /** @description Only lines with a smaller `seq` */
                    before?: number;
                    /** @description At most this many lines; 200 by default */
                    limit?: number;
                };
                header?: {
                    /**
                     * @description For a browser that keeps no cookies: the value that this header had in
                     *     the answer to taking a seat, or `new` to ask for one
                     * @example new
                     */
                    "Annon-Seat"?: string;
                };
                path: {
                    /**
                     * @description The group's id
                     * @example 01890a5d-ac96-774b-bcce-b302099a8057
                     */
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description OK */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["RoomShown"];
                    };
                };
                /** @description Bad Request */
                400: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Not Found */
                404: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Too Many Requests */
                429: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Service Unavailable */
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Insufficient Storage */
                507: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        /** Deletes a group with everything in it. Its members are told. */
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /**
                     * @description The group's id
                     * @example 01890a5d-ac96-774b-bcce-b302099a8057
                     */
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description OK */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Outcome"];
                    };
                };
                /** @description Unauthorized */
                401: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Forbidden */
                403: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Not Found */
                404: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Too Many Requests */
                429: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Service Unavailable */
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Insufficient Storage */
                507: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
            };
        };
        options?: never;
        head?: never;
        /** Locks or unlocks a group, or has newcomers knock. Nobody new can join a locked group. */
        patch: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /**
                     * @description The group's id
                     * @example 01890a5d-ac96-774b-bcce-b302099a8057
                     */
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["RoomDoor"];
                };
            };
            responses: {
                /** @description OK */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Outcome"];
                    };
                };
                /** @description The body isn't JSON, or a field is missing or has the wrong type */
                400: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Unauthorized */
                401: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Forbidden */
                403: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Not Found */
                404: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description The body took too long to arrive */
                408: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description The body is too large */
                413: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description The `Content-Type` isn't JSON */
                415: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Too Many Requests */
                429: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Service Unavailable */
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Insufficient Storage */
                507: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
            };
        };
        trace?: never;
    };
    "/api/room/{id}/image/{image}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Returns a picture to a member. */
        get: {
            parameters: {
                query?: never;
                header?: {
                    /**
                     * @description For a browser that keeps no cookies: the value that this header had in
                     *     the answer to taking a seat, or `new` to ask for one
                     * @example new
                     */
                    "Annon-Seat"?: string;
                };
                path: {
                    /**
                     * @description The group's id
                     * @example 01890a5d-ac96-774b-bcce-b302099a8057
                     */
                    id: string;
                    /**
                     * @description The picture's id
                     * @example 01890a5d-ac96-774b-bcce-b302099a8057
                     */
                    image: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The picture; of a sealed group the bytes that the browser has sealed, as `application/octet-stream` */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "image/jpeg": number[];
                    };
                };
                /** @description Forbidden */
                403: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Not Found */
                404: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Too Many Requests */
                429: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Service Unavailable */
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/room/{id}/knock": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Knocks at a group that asks first.
         * @description Whoever waits already gets the same knock again. It belongs to the caller's
         *     cookie or carried seat: once the creator has admitted it, the caller can take a seat.
         */
        post: {
            parameters: {
                query?: never;
                header?: {
                    /**
                     * @description For a browser that keeps no cookies: the value that this header had in
                     *     the answer to taking a seat, or `new` to ask for one
                     * @example new
                     */
                    "Annon-Seat"?: string;
                };
                path: {
                    /**
                     * @description The group's id
                     * @example 01890a5d-ac96-774b-bcce-b302099a8057
                     */
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Created */
                201: {
                    headers: {
                        /** @description The seat, if the request has this header */
                        "Annon-Seat"?: string | null;
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Knocked"];
                    };
                };
                /** @description The group is full or locked, the caller was removed from it, or the request comes from another site's page */
                403: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Not Found */
                404: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description The caller can come in without knocking, or too many people wait */
                409: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Too Many Requests */
                429: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Service Unavailable */
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Insufficient Storage */
                507: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/room/{id}/knock/{knock}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Tells how a knock stands: at once if the creator has answered, or else when they do, or when
         *     `wait` is over.
         */
        get: {
            parameters: {
                query?: {
                    /** @description For how many seconds the call waits for the creator's answer; 0 by default */
                    wait?: number;
                };
                header?: never;
                path: {
                    /**
                     * @description The group's id
                     * @example 01890a5d-ac96-774b-bcce-b302099a8057
                     */
                    id: string;
                    /**
                     * @description The knock
                     * @example 5f0c1e9ab7d24c1f8e3a6b9d0c7f2a41
                     */
                    knock: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description OK */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["KnockShown"];
                    };
                };
                /** @description Bad Request */
                400: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Not Found */
                404: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Too Many Requests */
                429: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Service Unavailable */
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
            };
        };
        put?: never;
        /** Admits or declines somebody who has knocked. Members are told of neither. */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /**
                     * @description The group's id
                     * @example 01890a5d-ac96-774b-bcce-b302099a8057
                     */
                    id: string;
                    /**
                     * @description The knock
                     * @example 5f0c1e9ab7d24c1f8e3a6b9d0c7f2a41
                     */
                    knock: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["KnockAnswer"];
                };
            };
            responses: {
                /** @description OK */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Outcome"];
                    };
                };
                /** @description The body isn't JSON, or a field is missing or has the wrong type */
                400: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Unauthorized */
                401: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description The caller isn't the creator, or the group is full or locked */
                403: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Not Found */
                404: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description The body took too long to arrive */
                408: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description The body is too large */
                413: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description The `Content-Type` isn't JSON */
                415: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Too Many Requests */
                429: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Service Unavailable */
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Insufficient Storage */
                507: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/room/{id}/knocks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Lists who waits to be let into a group. The inbox's socket tells its creator when that changes. */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /**
                     * @description The group's id
                     * @example 01890a5d-ac96-774b-bcce-b302099a8057
                     */
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description OK */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["KnockList"];
                    };
                };
                /** @description Unauthorized */
                401: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Forbidden */
                403: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Not Found */
                404: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Too Many Requests */
                429: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Service Unavailable */
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/room/{id}/link": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Gives a group a new link. By the one before only members come in; for all others there is no such group. Whoever
         *     waits to be let in is declined.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /**
                     * @description The group's id
                     * @example 01890a5d-ac96-774b-bcce-b302099a8057
                     */
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Created */
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["LinkMade"];
                    };
                };
                /** @description Unauthorized */
                401: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Forbidden */
                403: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Not Found */
                404: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description The group has had too many links */
                409: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Too Many Requests */
                429: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Service Unavailable */
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Insufficient Storage */
                507: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/room/{id}/member/{emoji}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Removes a member. Their cookie or carried seat gets no seat in this group
         *     again.
         */
        delete: {
            parameters: {
                query?: {
                    /** @description `remove` also removes the member's messages */
                    messages?: "remove";
                };
                header?: never;
                path: {
                    /**
                     * @description The group's id
                     * @example 01890a5d-ac96-774b-bcce-b302099a8057
                     */
                    id: string;
                    /**
                     * @description The member's emoji
                     * @example 🦊
                     */
                    emoji: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description OK */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Outcome"];
                    };
                };
                /** @description Bad Request */
                400: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Unauthorized */
                401: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Forbidden */
                403: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Not Found */
                404: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Too Many Requests */
                429: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Service Unavailable */
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Insufficient Storage */
                507: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
            };
        };
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/room/{id}/message/{seq}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Removes a message, no matter who sent it and how old it is. */
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /**
                     * @description The group's id
                     * @example 01890a5d-ac96-774b-bcce-b302099a8057
                     */
                    id: string;
                    /** @description The message's `seq` */
                    seq: number;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description OK */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Outcome"];
                    };
                };
                /** @description Unauthorized */
                401: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Forbidden */
                403: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Not Found */
                404: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Too Many Requests */
                429: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Service Unavailable */
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Insufficient Storage */
                507: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
            };
        };
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/room/{id}/push": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Returns the subscriptions to web push of the caller's seat. */
        get: {
            parameters: {
                query?: never;
                header?: {
                    /**
                     * @description For a browser that keeps no cookies: the value that this header had in
                     *     the answer to taking a seat, or `new` to ask for one
                     * @example new
                     */
                    "Annon-Seat"?: string;
                };
                path: {
                    /**
                     * @description The group's id
                     * @example 01890a5d-ac96-774b-bcce-b302099a8057
                     */
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description OK */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["PushShown"];
                    };
                };
                /** @description Forbidden */
                403: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Not Found */
                404: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Too Many Requests */
                429: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Service Unavailable */
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
            };
        };
        /**
         * Has a browser of the caller told when somebody writes in the group after ten minutes of silence. One with the same
         *     address is replaced, and the oldest if there are ten.
         */
        put: {
            parameters: {
                query?: never;
                header?: {
                    /**
                     * @description For a browser that keeps no cookies: the value that this header had in
                     *     the answer to taking a seat, or `new` to ask for one
                     * @example new
                     */
                    "Annon-Seat"?: string;
                };
                path: {
                    /**
                     * @description The group's id
                     * @example 01890a5d-ac96-774b-bcce-b302099a8057
                     */
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["SubscribeHere"];
                };
            };
            responses: {
                /** @description OK */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Subscribed"];
                    };
                };
                /** @description The body isn't JSON, or a field is missing or has the wrong type */
                400: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Forbidden */
                403: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Not Found */
                404: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description The body took too long to arrive */
                408: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description The body is too large */
                413: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description The `Content-Type` isn't JSON */
                415: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Too Many Requests */
                429: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Service Unavailable */
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Insufficient Storage */
                507: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
            };
        };
        post?: never;
        /** Ends subscriptions of the caller's seat: all, or one. */
        delete: {
            parameters: {
                query?: {
                    /** @description Only the one with this id */
                    subscription?: string;
                };
                header?: {
                    /**
                     * @description For a browser that keeps no cookies: the value that this header had in
                     *     the answer to taking a seat, or `new` to ask for one
                     * @example new
                     */
                    "Annon-Seat"?: string;
                };
                path: {
                    /**
                     * @description The group's id
                     * @example 01890a5d-ac96-774b-bcce-b302099a8057
                     */
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description OK */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Outcome"];
                    };
                };
                /** @description Forbidden */
                403: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Not Found */
                404: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Too Many Requests */
                429: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Service Unavailable */
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
            };
        };
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/room/{id}/seat": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Takes a seat, or returns the seat the caller already has, and shows the
         *     group. If the group asks first, its creator comes in by their token.
         */
        post: {
            parameters: {
                query?: {
                    /** @description Only lines with a smaller `seq` */
                    before?: number;
                    /** @description At most this many lines; 200 by default */
                    limit?: number;
                };
                header?: {
                    /**
                     * @description For a browser that keeps no cookies: the value that this header had in
                     *     the answer to taking a seat, or `new` to ask for one
                     * @example new
                     */
                    "Annon-Seat"?: string;
                };
                path: {
                    /**
                     * @description The group's id
                     * @example 01890a5d-ac96-774b-bcce-b302099a8057
                     */
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description OK */
                200: {
                    headers: {
                        /** @description The seat, if the request has this header */
                        "Annon-Seat"?: string | null;
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Seated"];
                    };
                };
                /** @description Bad Request */
                400: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description The group is full or locked, the caller was removed from it, or the request comes from another site's page */
                403: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Not Found */
                404: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Too Many Requests */
                429: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Service Unavailable */
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Insufficient Storage */
                507: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
            };
        };
        /** Leaves the group and frees the seat. */
        delete: {
            parameters: {
                query?: never;
                header?: {
                    /**
                     * @description For a browser that keeps no cookies: the value that this header had in
                     *     the answer to taking a seat, or `new` to ask for one
                     * @example new
                     */
                    "Annon-Seat"?: string;
                };
                path: {
                    /**
                     * @description The group's id
                     * @example 01890a5d-ac96-774b-bcce-b302099a8057
                     */
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description OK */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Outcome"];
                    };
                };
                /** @description Forbidden */
                403: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Not Found */
                404: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Too Many Requests */
                429: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Service Unavailable */
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Insufficient Storage */
                507: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
            };
        };
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/room/{id}/socket": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Opens a WebSocket for a group in which the caller has a seat.
         * @description The seat is checked before the upgrade. It is the cookie's or, if the page
         *     carries its seat, the second subprotocol:
         *     `Sec-WebSocket-Protocol: annon-seat, <seat>`.
         *
         *     Send `event.connect` first, with the last `seq` you have seen as `since`.
         *     The server then sends what you missed, `event.ready`, and from then on
         *     everything as it happens.
         */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /**
                     * @description The group's id
                     * @example 01890a5d-ac96-774b-bcce-b302099a8057
                     */
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description A WebSocket */
                101: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
                /** @description Bad Request */
                400: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Forbidden */
                403: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Not Found */
                404: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Too Many Requests */
                429: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Service Unavailable */
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/rooms": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Lists the caller's active groups. */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description OK */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["RoomList"];
                    };
                };
                /** @description Unauthorized */
                401: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Service Unavailable */
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/seal": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Returns how the caller's inbox is sealed. */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description OK */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["SealShown"];
                    };
                };
                /** @description Unauthorized */
                401: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Service Unavailable */
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
            };
        };
        /**
         * Seals the caller's inbox: senders are given this key from now on.
         * @description It takes the place of an earlier one. Notes that were sealed with that stay as they are.
         */
        put: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["SealInbox"];
                };
            };
            responses: {
                /** @description OK */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Outcome"];
                    };
                };
                /** @description The body isn't JSON, or a field is missing or has the wrong type */
                400: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Unauthorized */
                401: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description The body took too long to arrive */
                408: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description The body is too large */
                413: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description The `Content-Type` isn't JSON */
                415: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Unprocessable Entity */
                422: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Too Many Requests */
                429: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Service Unavailable */
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Insufficient Storage */
                507: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
            };
        };
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /** Switches the seal of the caller's inbox off or on again, or says whether open notes are taken. */
        patch: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["SetSeal"];
                };
            };
            responses: {
                /** @description OK */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Outcome"];
                    };
                };
                /** @description The body isn't JSON, or a field is missing or has the wrong type */
                400: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Unauthorized */
                401: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Not Found */
                404: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description The body took too long to arrive */
                408: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description The body is too large */
                413: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description The `Content-Type` isn't JSON */
                415: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Unprocessable Entity */
                422: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Too Many Requests */
                429: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Service Unavailable */
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Insufficient Storage */
                507: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
            };
        };
        trace?: never;
    };
    "/api/seal/handover": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /** Hands the private key from one of the caller's devices to another: it waits for five minutes, and is given once. */
        put: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["HandoverItem"];
                };
            };
            responses: {
                /** @description OK */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Outcome"];
                    };
                };
                /** @description The body isn't JSON, or a field is missing or has the wrong type */
                400: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Unauthorized */
                401: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Not Found */
                404: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description The body took too long to arrive */
                408: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description The body is too large */
                413: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description The `Content-Type` isn't JSON */
                415: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Unprocessable Entity */
                422: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Too Many Requests */
                429: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Service Unavailable */
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Insufficient Storage */
                507: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
            };
        };
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/seal/handover/take": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Takes what another device of the caller's has handed over. It is forgotten then. */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description OK */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["HandoverShown"];
                    };
                };
                /** @description Unauthorized */
                401: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Not Found */
                404: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Too Many Requests */
                429: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Service Unavailable */
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Insufficient Storage */
                507: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/session/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Ends one sign-in. */
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /**
                     * @description The sign-in
                     * @example 01890a5d-ac96-774b-bcce-b302099a8057
                     */
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description OK */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Outcome"];
                    };
                };
                /** @description Unauthorized */
                401: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description It has ended, or isn't the caller's */
                404: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Service Unavailable */
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Insufficient Storage */
                507: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
            };
        };
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/session/{id}/known": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Says that the browser of a sign-in is known.
         * @description A sign-in can't say it of itself.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /**
                     * @description The sign-in
                     * @example 01890a5d-ac96-774b-bcce-b302099a8057
                     */
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description OK */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Outcome"];
                    };
                };
                /** @description Unauthorized */
                401: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description It isn't kept any more, isn't the caller's, or is the one that asks */
                404: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Service Unavailable */
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Insufficient Storage */
                507: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Returns where the account is signed in.
         * @description A sign-in from a browser that the account doesn't know is `unknown`, at most for 30 days, until one of
         *     the others says that it is known.
         */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description OK */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["SessionList"];
                    };
                };
                /** @description Unauthorized */
                401: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Service Unavailable */
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        /** Ends every sign-in but the caller's own. */
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description OK */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Outcome"];
                    };
                };
                /** @description Unauthorized */
                401: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Service Unavailable */
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Insufficient Storage */
                507: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
            };
        };
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/user/change-password": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Changes the password and ends every other token of the account. */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["ChangePassword"];
                };
            };
            responses: {
                /** @description OK */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["PasswordSet"];
                    };
                };
                /** @description The body isn't JSON, or a field is missing or has the wrong type */
                400: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Unauthorized */
                401: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Wrong password */
                403: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description The body took too long to arrive */
                408: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description The body is too large */
                413: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description The `Content-Type` isn't JSON */
                415: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Unprocessable Entity */
                422: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Too Many Requests */
                429: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Service Unavailable */
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Insufficient Storage */
                507: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/user/delete": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Deletes the account and everything that belongs to it. */
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["DeleteAccount"];
                };
            };
            responses: {
                /** @description OK */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Outcome"];
                    };
                };
                /** @description The body isn't JSON, or a field is missing or has the wrong type */
                400: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Unauthorized */
                401: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Wrong password */
                403: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description The body took too long to arrive */
                408: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description The body is too large */
                413: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description The `Content-Type` isn't JSON */
                415: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Unprocessable Entity */
                422: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Too Many Requests */
                429: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Service Unavailable */
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Insufficient Storage */
                507: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
            };
        };
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/user/new-link": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Replaces the id that the caller's notes are sent to.
         * @description Nobody can send to the old id any more. The personal link stays
         *     `/{username}` and leads to the new id.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The new id */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Target"];
                    };
                };
                /** @description Unauthorized */
                401: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description The account is suspended */
                403: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Service Unavailable */
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Insufficient Storage */
                507: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/user/send-confirmation": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Mails the confirmation link again. */
        post: {
            parameters: {
                query?: never;
                header?: {
                    /**
                     * @description The language of the mail: en or de
                     * @example de-DE,de;q=0.9,en;q=0.5
                     */
                    "Accept-Language"?: string;
                };
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description OK */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Outcome"];
                    };
                };
                /** @description Unauthorized */
                401: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Too Many Requests */
                429: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Service Unavailable */
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Insufficient Storage */
                507: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/web-hash": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Says what the web app's files are.
         * @description The digests are those of the release that the server says it is, unless somebody has changed its web app. `annon
         *     web-hash` prints the same.
         */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description OK */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["WebHash"];
                    };
                };
                /** @description Too Many Requests */
                429: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/words/{page}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Returns what the operator of this server adds to the page `terms`, `privacy` or `imprint`. */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description `terms`, `privacy` or `imprint` */
                    page: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description OK */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["OwnWordsOfPage"];
                    };
                };
                /** @description Not Found */
                404: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
                /** @description Too Many Requests */
                429: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/healthz": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Answers 200 as long as the process runs. */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description OK */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Outcome"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/readyz": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Tells whether the server may be sent people: the store is open and takes writes.
         * @description If the disk is full, or the operator has paused the site, the server can still
         *     read: the answer is 200, and its message says so.
         *
         *     503 says why nobody should be sent here: `busy` while the server closes its
         *     sockets before it stops, else `cannot_store` with the reason in words: the store
         *     takes no writes, or, with a database, that has confirmed nothing for 10 seconds,
         *     this machine's clock is off by more than 2 seconds, or a newer version has changed
         *     the database. That servers don't hear each other is no reason.
         */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description OK */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Outcome"];
                    };
                };
                /** @description Service Unavailable */
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Refusal"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /** @description The members who are connected. */
        ActiveUsersFrame: {
            /** @description Their emoji. */
            active_users: string[];
            /**
             * @description Always `event.active-users`.
             * @example event.active-users
             */
            event: string;
        };
        /** @description The answer for a group that is active. */
        Alive: {
            /**
             * @description How many seats are free, as the preview of the group's link says.
             * @example 3
             */
            free_seats: number;
            /** @description A sentence for people. */
            message: string;
            /**
             * Format: int32
             * @description Equal to the HTTP status.
             * @example 200
             */
            status: number;
        };
        /** @description A public answer, as everybody reads it. */
        AnswerItem: {
            /** @description What its owner has answered. */
            answer: string;
            /**
             * @description The minute in which it was published: `YYYY-MM-DD HH:MM:SS`, UTC.
             * @example 2026-11-20 18:05:00
             */
            date: string;
            /**
             * @description The answer's id, as it is in its link: 16 bytes in base64url. It reveals nothing about the note.
             * @example AAAAAAAAehwAAAAAAAAAAQ
             */
            id: string;
            /** @description The note's text. */
            note: string;
        };
        /** @description A page of somebody's public answers. */
        AnswerList: {
            /** @description The answers, newest first. */
            data: components["schemas"]["AnswerItem"][];
            /**
             * Format: int32
             * @description Equal to the HTTP status.
             * @example 200
             */
            status: number;
        };
        /** @description One public answer. */
        AnswerShown: {
            data: components["schemas"]["AnswerItem"];
            /**
             * Format: int32
             * @description Equal to the HTTP status.
             * @example 200
             */
            status: number;
        };
        /** @description The work that is asked for. */
        Asked: {
            /**
             * Format: int32
             * @description With how many zero bits SHA-256(seed ‖ nonce) has to begin, over the bytes of both.
             * @example 14
             */
            bits: number;
            /** @description 25 bytes in base64url. */
            seed: string;
            /**
             * @description Until when the seed is good, in UTC.
             * @example 2026-07-04 12:30:00
             */
            until: string;
        };
        /**
         * @description What begins a conversation together with a note. The browser draws both from a secret that
         *     it keeps.
         */
        BeginConversation: {
            /**
             * @description The id of the conversation: 16 bytes in base64url.
             * @example AAAAAAAAehwAAAAAAAAAAQ
             */
            id: string;
            /** @description The SHA-256 of the conversation's key: 32 bytes in base64url. */
            proof: string;
        };
        /** @description A heading or a paragraph. */
        Block: {
            /** @description Whether it is a heading. */
            heading: boolean;
            /** @description Its words. */
            parts: components["schemas"]["Part"][];
        };
        /** @description A block of whoever sent one note. */
        BlockItem: {
            /**
             * @description The first words of the note that led to it; empty once that note is deleted. Of one that is sealed: all of it,
             *     as `message` of a note.
             */
            began: string;
            /**
             * @description The minute in which it was made, in UTC.
             * @example 2026-07-04 12:30:00
             */
            date: string;
            /** Format: uuid */
            id: string;
            /**
             * Format: uuid
             * @description The id that the note was sealed for; absent if it isn't sealed.
             */
            sealed?: string;
        };
        /** @description The blocks of an inbox. */
        BlockList: {
            /** @description A page of blocks, newest first. */
            data: components["schemas"]["BlockItem"][];
            /**
             * Format: int32
             * @description Equal to the HTTP status.
             * @example 200
             */
            status: number;
        };
        /** @description A change of a conversation. */
        ChangeConversation: {
            /**
             * @description `false` closes it: it can be read, and nothing more can be said. Only the owner can do
             *     that.
             */
            open?: boolean | null;
            /**
             * Format: uint64
             * @description The caller has seen all lines up to the one with this `seq`.
             */
            seen?: number | null;
        };
        /** @description A form to change the password. */
        ChangePassword: {
            /**
             * @description The new password.
             * @example battery staple
             */
            new_password: string;
            /**
             * @description The current password.
             * @example correct horse
             */
            old_password: string;
            /**
             * @description The subscription to web push that stays: that of the browser which changes the password. All others end.
             * @example AAAAAAAAehwAAAAAAAAAAQ
             */
            push?: string | null;
        };
        /** @description A message. */
        ChatFrame: {
            /** @description In a sealed group: the id of the message that this one answers, as its sender gave it. Absent if there is none. */
            answers?: string | null;
            /** @description The caption of the picture. */
            caption: string;
            /**
             * @description `event.chat`, or `event.image` when there is a picture.
             * @example event.chat
             */
            event: string;
            /** @description The id that its sender gave the message. */
            id: string;
            /** @description The path of the picture's blurred preview. */
            image_low?: string | null;
            /**
             * @description Width and height of the picture.
             * @example [
             *       1080,
             *       720
             *     ]
             */
            image_size?: number[] | null;
            /** @description The path of the picture. */
            image_src?: string | null;
            /**
             * @description `key` if a sealed group's message announces the key that its sender signs with, otherwise absent.
             * @example key
             */
            kind?: string | null;
            /** @description The text; in a sealed group what the sender's browser has sealed, in base64url. */
            message: string;
            /** @description The reactions to the message; absent if there are none. */
            reactions?: components["schemas"]["Reactions"][];
            reply?: components["schemas"]["Quote"] | null;
            /**
             * @description The sender's emoji.
             * @example 🦊
             */
            sender: string;
            /**
             * Format: int64
             * @description Its place in the group's log.
             */
            seq: number;
            /**
             * @description `hh:mm:ss.fff`, UTC, by the server's clock.
             * @example 18:05:59.042
             */
            time: string;
            /** @description `true` if the message was unsent or removed, otherwise absent. */
            unsent?: boolean;
        };
        /** @description A frame that a client sends in a group. */
        ClientFrame: {
            /**
             * @description Always `sendMessage`.
             * @example sendMessage
             * @enum {string}
             */
            action: "sendMessage";
            /** @description The content of the frame. */
            message: components["schemas"]["ClientMessage"];
            /** @description The id of the group the socket was opened for. */
            room_id: string;
        };
        /** @description The content of a client's frame. A sender or a time in it is ignored. */
        ClientMessage: {
            /** @description In a sealed group: the id of the message that this one answers. */
            answers?: string | null;
            /** @description The caption of the picture. A sealed group has it in `message`. */
            caption?: string | null;
            /** @description With `event.react`: the reaction. */
            emoji?: string | null;
            /**
             * @description `event.connect`, `event.chat`, `event.image`, `event.active-users`, `event.typing`,
             *     `event.unsend` or `event.react`; others are ignored.
             * @example event.chat
             * @enum {string}
             */
            event: "event.connect" | "event.chat" | "event.image" | "event.active-users" | "event.typing" | "event.unsend" | "event.react";
            /**
             * @description The message's id: letters and digits of the sender's choice. A message
             *     that is sent twice with one id is posted once.
             */
            id?: string | null;
            /** @description The path of the picture's blurred preview. */
            image_low?: string | null;
            /** @description The path of a picture uploaded to this group. */
            image_src?: string | null;
            /** @description In a sealed group: `key` if the message announces the key that its sender signs with. */
            kind?: string | null;
            /** @description The text. With `event.react`: the `seq` of the message. */
            message?: string | number | null;
            /** @description With `event.react`: whether the reaction is to be there. If it is absent, it is. */
            on?: boolean | null;
            /**
             * @description The message this one replies to: of the four items only the third, its
             *     `seq`, is read.
             */
            reply?: unknown[] | null;
            /**
             * Format: int64
             * @description With `event.connect`: the last `seq` the client has seen.
             */
            since?: number | null;
        };
        /**
         * @description The server is about to close the socket: `signed_out` in an inbox; `signed_out` or
         *     `conversation_ended` in a conversation; `group_expired`, `group_deleted`,
         *     `removed_from_group` or `left_group` in a group.
         */
        ClosedFrame: {
            code: components["schemas"]["Code"];
            /**
             * @description Always `event.closed`.
             * @example event.closed
             */
            event: string;
            /** @description A sentence to show to the user. */
            message: string;
        };
        /**
         * @description What a program decides by: a code stays what it is, while its sentence may be worded anew.
         * @enum {string}
         */
        Code: "signed_out" | "busy" | "paused_for_maintenance" | "no_space" | "cannot_store" | "maybe_stored" | "internal" | "nothing_here" | "someone_was_first" | "no_room_for_more" | "too_many_attempts" | "body_too_large" | "body_too_slow" | "body_cut_short" | "body_not_json" | "json_not_utf8" | "json_invalid" | "fields_invalid" | "encoding_invalid" | "no_such_call" | "other_method" | "before_is_no_note" | "before_is_no_place" | "inbox_limit_invalid" | "room_limit_invalid" | "kicked_messages_invalid" | "wait_invalid" | "not_upgraded" | "socket_from_elsewhere" | "frame_not_json" | "wrong_credentials" | "wrong_password" | "credentials_invalid" | "username_too_short" | "username_too_long" | "username_characters" | "username_not_available" | "username_taken" | "age_not_stated" | "email_taken" | "no_more_accounts" | "sign_up_closed" | "invitation_needed" | "invitation_invalid" | "email_invalid" | "reset_email_invalid" | "new_password_too_short" | "password_too_long" | "password_too_short" | "password_too_common" | "password_is_username" | "passwords_differ" | "link_used" | "reset_sent" | "email_not_confirmed" | "email_confirmed_elsewhere" | "confirmation_sent" | "email_confirmed_before" | "no_such_person" | "inbox_full" | "no_such_note" | "note_too_short" | "note_too_long" | "too_many_notes" | "inbox_paused" | "held_word_invalid" | "too_many_held_words" | "tag_invalid" | "sender_not_known" | "no_more_blocks" | "no_such_block" | "work_needed" | "tag_needed" | "note_from_elsewhere" | "report_from_elsewhere" | "feedback_from_elsewhere" | "feedback_too_short" | "feedback_too_long" | "feedback_not_utf8" | "not_a_form" | "form_broken" | "form_too_slow" | "report_too_short" | "report_too_long" | "report_lines_invalid" | "report_too_many_pictures" | "report_line_gone" | "page_not_available" | "suspended" | "conversation_invalid" | "conversation_taken" | "no_more_conversations" | "too_many_answered" | "no_such_conversation" | "conversation_ended" | "conversation_closed" | "conversation_full" | "wait_for_answer" | "line_too_long" | "no_such_line" | "not_the_owner" | "conversation_stays_closed" | "too_many_asked" | "before_is_no_conversation" | "answer_empty" | "answer_too_long" | "seal_needed" | "seal_changed" | "seal_invalid" | "no_seal" | "no_handover" | "note_words_needed" | "only_for_you" | "no_such_answer" | "before_is_no_answer" | "page_line_too_long" | "prompt_empty" | "prompt_too_long" | "too_many_prompts" | "push_invalid" | "push_service_unknown" | "no_such_subscription" | "picture_too_slow" | "picture_gave_way" | "too_many_pictures" | "picture_file_too_large" | "picture_of_other_kind" | "picture_too_large" | "picture_unreadable" | "picture_not_base64" | "no_such_picture" | "picture_of_other_group" | "group_holds_no_more_pictures" | "group_name_too_short" | "group_name_too_long" | "lifetime_invalid" | "no_more_groups" | "no_more_links" | "not_the_creator" | "group_expired" | "group_full" | "group_locked" | "asks_first" | "no_need_to_knock" | "knocked_too_often" | "too_many_knocks" | "no_such_knock" | "group_deleted" | "left_group" | "removed_from_group" | "not_a_member" | "seat_from_elsewhere" | "no_such_member" | "group_busy" | "sending_too_fast" | "sealed_invalid" | "message_empty" | "message_too_long" | "caption_too_long" | "message_gone" | "too_late_to_unsend" | "no_such_sign" | "too_many_reactions" | "reactions_full" | "message_id_invalid" | "frame_not_understood" | "socket_of_other_group";
        /** @description The token of a confirmation link. */
        ConfirmEmail: {
            /** @description The part of the mailed link after `/confirm/`. */
            token: string;
        };
        /** @description A conversation, as one side sees it. */
        ConversationData: {
            /**
             * @description When it ends if nothing more is said: `YYYY-MM-DD HH:MM:SS`, UTC.
             * @example 2026-12-20 18:05:09
             */
            expires: string;
            /** @description Whether there are lines older than the first one here. */
            has_older: boolean;
            /** @description The conversation's id. */
            id: string;
            /**
             * Format: int64
             * @description The number of the last change, for `since` in `event.connect`.
             */
            last_seq: number;
            /** @description The lines, oldest first. */
            lines: components["schemas"]["LineItem"][];
            /** @description Which side the caller is. */
            me: components["schemas"]["SideName"];
            /** @description The note that it began with. */
            note: components["schemas"]["FirstNote"];
            /** @description Whether something can be said in it. */
            open: boolean;
            /** @description The owner's username. */
            to: string;
            /** @description How many of the other side's lines the caller has not seen. */
            unread: number;
        };
        /** @description A conversation in its owner's list. */
        ConversationItem: {
            /**
             * @description When it ends if nothing more is said: `YYYY-MM-DD HH:MM:SS`, UTC.
             * @example 2026-12-20 18:05:09
             */
            expires: string;
            /**
             * @description The conversation's id.
             * @example AAAAAAAAehwAAAAAAAAAAQ
             */
            id: string;
            last?: components["schemas"]["LineItem"] | null;
            /** @description The note that it began with. */
            note: components["schemas"]["FirstNote"];
            /** @description Whether something can be said in it. */
            open: boolean;
            /** @description How many of the sender's lines the owner has not seen. */
            unread: number;
        };
        /** @description A page of the owner's conversations. */
        ConversationList: {
            /** @description The conversations, the one with the newest line first. */
            data: components["schemas"]["ConversationItem"][];
            /**
             * Format: int32
             * @description Equal to the HTTP status.
             * @example 200
             */
            status: number;
        };
        /** @description The answer to showing a conversation. */
        ConversationShown: {
            /** @description The conversation. */
            data: components["schemas"]["ConversationData"];
            /**
             * Format: int32
             * @description Equal to the HTTP status.
             * @example 200
             */
            status: number;
        };
        /** @description A new group. */
        CreateRoom: {
            /** @description Whether newcomers have to knock, so that the creator admits or declines each. */
            ask_first?: boolean;
            /** @description Of a sealed group: eight bytes in base64url, by which a browser tells the right key. */
            check?: string | null;
            /**
             * Format: int32
             * @description How many hours the group lives, 24 or 2. The default is the server's
             *     setting, usually 24.
             * @enum {integer|null}
             */
            lifetime_hours?: 24 | 2 | null;
            /**
             * @description The group's name; of a sealed group what the browser has sealed, in base64url.
             * @example midnight tacos
             */
            name: string;
            /** @description Whether browsers seal what is said in the group. The server never gets their key. */
            sealed?: boolean;
        };
        /** @description The answer to creating a group. */
        Created: {
            /**
             * @description The creator's username.
             * @example some-body
             */
            creator: string;
            /**
             * Format: uuid
             * @description The group's id.
             */
            room_id: string;
            /**
             * Format: int32
             * @description Equal to the HTTP status.
             * @example 201
             */
            status: number;
        };
        /** @description The answer to "who is signed in". */
        Dashboard: {
            /**
             * Format: int32
             * @description Equal to the HTTP status.
             * @example 200
             */
            status: number;
            /** @description The account. */
            user: components["schemas"]["User"];
        };
        /** @description A form to delete the account. */
        DeleteAccount: {
            /**
             * @description The account's password, as a confirmation.
             * @example correct horse
             */
            password: string;
        };
        /** @description Whether the caller gets a digest. */
        DigestData: {
            on: boolean;
        };
        /** @description The digest of the caller. */
        DigestShown: {
            data: components["schemas"]["DigestData"];
            /**
             * Format: int32
             * @description Equal to the HTTP status.
             * @example 200
             */
            status: number;
        };
        /** @description What the client sent was refused, and why. */
        ErrorFrame: {
            code: components["schemas"]["Code"];
            /**
             * @description Always `event.error`.
             * @example event.error
             */
            event: string;
            /** @description A sentence to show to the user. */
            message: string;
        };
        /** @description A feedback form. */
        FeedbackForm: {
            /** @description The text. */
            feedback: string;
            /**
             * Format: binary
             * @description A picture: JPEG, PNG or WebP.
             */
            feedback_image?: string | null;
        };
        /** @description The note that a conversation began with. */
        FirstNote: {
            /**
             * @description The minute in which the note arrived or its batch was delivered.
             * @example 2026-11-20 18:05:00
             */
            date: string;
            /**
             * Format: uuid
             * @description The note's id, for the owner; absent for the sender.
             */
            id?: string;
            /** @description The text; of a sealed one as it was sent. */
            message: string;
            /**
             * Format: uuid
             * @description The target id that the note was sealed for; absent if the note is open. The lines below a sealed note are sealed, too.
             */
            sealed?: string;
        };
        /** @description New flags of a note, at least one. What is left out stays as it is. */
        FlagNote: {
            /** @description Whether the note is in the archive. There it counts as read; a new line of its sender's brings it back. */
            archived?: boolean;
            /** @description Whether the note has a star. */
            starred?: boolean;
        };
        /** @description The private key for another device. */
        HandoverItem: {
            /** @description The private key, wrapped with a key that only the two devices have, in base64url: at most 512 bytes. */
            wrapped: string;
        };
        /** @description What was handed over. */
        HandoverShown: {
            data: components["schemas"]["HandoverItem"];
            /**
             * Format: int32
             * @description Equal to the HTTP status.
             * @example 200
             */
            status: number;
        };
        /** @description The inbox has changed. */
        InboxFrame: {
            /**
             * @description Always `event.inbox`.
             * @example event.inbox
             */
            event: string;
            note?: components["schemas"]["NoteItem"] | null;
            /**
             * @description `true` if the list has changed in another way: notes were deleted or archived, or a
             *     batch was delivered. Load the list again.
             */
            reload?: boolean;
            /**
             * Format: int32
             * @description The number of unread notes in the whole inbox.
             */
            unread: number;
        };
        /** @description The settings of an inbox. */
        InboxSettings: {
            /**
             * @description Whether notes are delivered in batches, at :00, :15, :30 and :45 of
             *     every hour. Then nobody, not even the owner, can tell when each arrived.
             */
            batches: boolean;
            /**
             * @description Notes with one of these words and phrases are held back. Capitals make no difference,
             *     and parts of words don't count.
             */
            held_words: string[];
            /** @description Whether no notes are taken. The personal page says so. */
            paused: boolean;
            /** @enum {string} */
            shield: "off" | "auto" | "always";
            /**
             * Format: int32
             * @description Equal to the HTTP status.
             * @example 200
             */
            status: number;
        };
        /** @description The creator's answer to a knock. */
        KnockAnswer: {
            /** @description Whether the visitor can come in. */
            admit: boolean;
        };
        /** @description How a knock stands. */
        KnockData: {
            /**
             * @description The emoji that the creator sees, and that the visitor gets when they come in.
             * @example 🦊
             */
            emoji: string;
            /**
             * Format: int64
             * @description How many seconds are left until the knock lapses.
             * @example 580
             */
            seconds_left: number;
            /** @description `waiting`, `admitted`, `declined` or `lapsed`. */
            state: components["schemas"]["KnockState"];
        };
        /** @description Everybody who waits to be let into a group. */
        KnockList: {
            /** @description Whether newcomers have to knock. */
            ask_first: boolean;
            /** @description Those who wait, in the order in which they came. */
            data: components["schemas"]["WaitingKnock"][];
            /**
             * Format: int64
             * @description The place in the group's log up to which this is true. An `event.knocks` with a smaller one is older.
             */
            seq: number;
            /**
             * Format: int32
             * @description Equal to the HTTP status.
             * @example 200
             */
            status: number;
        };
        /** @description The answer to asking how a knock stands. */
        KnockShown: {
            /** @description The knock. */
            data: components["schemas"]["KnockData"];
            /**
             * Format: int32
             * @description Equal to the HTTP status.
             * @example 200
             */
            status: number;
        };
        /** @enum {string} */
        KnockState: "waiting" | "admitted" | "declined" | "lapsed";
        /** @description The answer to knocking. */
        Knocked: {
            /**
             * @description The emoji that the creator sees, and that the visitor gets when they come in.
             * @example 🦊
             */
            emoji: string;
            /**
             * @description The knock. Only the visitor and the group's creator are given it.
             * @example 5f0c1e9ab7d24c1f8e3a6b9d0c7f2a41
             */
            knock: string;
            /**
             * Format: int64
             * @description How many seconds are left until the knock lapses.
             * @example 600
             */
            seconds_left: number;
            /**
             * Format: int32
             * @description Equal to the HTTP status.
             * @example 201
             */
            status: number;
        };
        /** @description Everybody who waits to be let into a group. */
        Knocks: {
            /** @description Whether newcomers have to knock. */
            ask_first: boolean;
            /** @description Those who wait, in the order in which they came. */
            knocks: components["schemas"]["WaitingKnock"][];
            /**
             * Format: int64
             * @description The place in the group's log up to which this is true. What comes with a smaller one is older.
             */
            seq: number;
        };
        /** @description Who waits to be let into one of the owner's groups has changed. */
        KnocksFrame: components["schemas"]["Knocks"] & {
            /**
             * @description Always `event.knocks`.
             * @example event.knocks
             */
            event: string;
            /**
             * Format: uuid
             * @description The group's id.
             */
            id: string;
        };
        /** @description A line of a group's history: a message or a notice. */
        LineFrame: components["schemas"]["ChatFrame"] | components["schemas"]["NotifyFrame"];
        /** @description A line of a conversation. */
        LineItem: {
            /** @description Who said it. */
            from: components["schemas"]["SideName"];
            /**
             * @description The id that its side gave it.
             * @example abcDEF123456789
             */
            id: string;
            /** @description The text; empty if it was unsent. */
            message: string;
            /** @description What both sides think of it; absent if nothing. */
            reactions?: components["schemas"]["LineReactions"][];
            /** @description The line that it answers; absent if none. */
            reply?: components["schemas"]["QuotedLine"];
            /** @description Whether the other side has seen it. */
            seen: boolean;
            /**
             * Format: int64
             * @description Its number among all that has happened in the conversation.
             */
            seq: number;
            /**
             * @description When it was said: `YYYY-MM-DD HH:MM:SS`, UTC.
             * @example 2026-11-20 18:05:09
             */
            time: string;
            /** @description `true` if it was unsent, otherwise absent. */
            unsent?: boolean;
        };
        /** @description The reactions to a line with one emoji. */
        LineReactions: {
            /** @example 👍 */
            emoji: string;
            /** @description Whose they are, in the order in which they came. */
            from: components["schemas"]["SideName"][];
        };
        /** @description A line that was said. */
        LineSaid: {
            /**
             * Format: int64
             * @description The line's `seq`.
             */
            seq: number;
            /**
             * Format: int32
             * @description Equal to the HTTP status.
             * @example 201
             */
            status: number;
            /** @description When it was said: `YYYY-MM-DD HH:MM:SS`, UTC. */
            time: string;
        };
        /** @description A line was unsent. */
        LineUnsentFrame: {
            /**
             * @description Always `event.unsend`.
             * @example event.unsend
             */
            event: string;
            /**
             * Format: int64
             * @description The `seq` of the line.
             */
            line: number;
            /**
             * Format: int64
             * @description The number of this change.
             */
            seq: number;
        };
        /** @description A new link of a group. */
        LinkMade: {
            /**
             * Format: uuid
             * @description What stands in the link: it takes the place of the group's id.
             */
            id: string;
            /**
             * Format: int32
             * @description Equal to the HTTP status.
             * @example 201
             */
            status: number;
        };
        /** @description The account that a confirmation link belongs to. */
        LinkOwner: {
            /**
             * Format: int32
             * @description Equal to the HTTP status.
             * @example 200
             */
            status: number;
            /**
             * @description The account that the address would be confirmed for.
             * @example some-body
             */
            username: string;
        };
        /** @description The answer to a sign-in. */
        LoggedIn: {
            /** @description The token, to be sent as `Authorization: Bearer <token>`. */
            access_token: string;
            /**
             * @description Send this back as `device` at the next sign-in from this browser. It
             *     gives no access.
             */
            device: string;
            /**
             * Format: int64
             * @description Seconds until the token expires.
             * @example 7200
             */
            expires_in: number;
            /**
             * @description A sentence to show to the user.
             * @example User Logged In
             */
            message: string;
            /**
             * Format: int32
             * @description Equal to the HTTP status.
             * @example 200
             */
            status: number;
        };
        /** @description A sign-in form. */
        Login: {
            /**
             * @description The `device` that this browser was given at its last sign-in. It keeps
             *     the account open to this browser while others guess at the password.
             */
            device?: string | null;
            /**
             * @description The username or the address.
             * @example some-body
             */
            email_or_username: string;
            /**
             * @description The password.
             * @example correct horse
             */
            password: string;
        };
        /** @description A note as its owner sees it, in the list and on the socket. */
        NoteItem: {
            /** @description What its owner has answered in public; absent if nothing. */
            answer?: components["schemas"]["AnswerItem"];
            /** @description `true` if its owner has archived it; absent if not. */
            archived?: boolean;
            /** @description The id of the conversation that it began; absent if its sender asks for no answer. */
            conversation?: string;
            /**
             * @description The minute in which the note arrived or its batch was delivered:
             *     `YYYY-MM-DD HH:MM:SS`, UTC. The seconds are always `00`.
             * @example 2026-11-20 18:05:00
             */
            date: string;
            /**
             * Format: uuid
             * @description The note's id, in the form of a UUID. It reveals nothing about the note.
             */
            id: string;
            /** @description The text; of a sealed one as it was sent. */
            message: string;
            /** @description Whether its sender has said that it must not be published. */
            only_for_you: boolean;
            /**
             * Format: uuid
             * @description The target id that the note was sealed for; absent if it is open.
             */
            sealed?: string;
            /** @description Whether its owner has opened it. */
            seen: boolean;
            /** @description `true` if its owner has marked it with a star; absent if not. */
            starred?: boolean;
        };
        /** @description A page of the inbox. */
        NoteList: {
            /** @description The notes, newest first. */
            data: components["schemas"]["NoteItem"][];
            /**
             * Format: int32
             * @description The number of unread notes in the whole inbox.
             * @example 3
             */
            message: number;
            /**
             * Format: int32
             * @description Equal to the HTTP status.
             * @example 200
             */
            status: number;
        };
        /**
         * @description What a notice tells, for a client that doesn't read its words.
         * @enum {string}
         */
        NoticeCode: "joined" | "left" | "removed" | "locked" | "unlocked" | "lost";
        /** @description A notice to all members. */
        NotifyFrame: {
            /** @description What has changed. */
            code: components["schemas"]["NoticeCode"];
            /**
             * @description Whose seat it is about, if it is about one.
             * @example 🦊
             */
            emoji?: string | null;
            /**
             * @description Always `event.notify`.
             * @example event.notify
             */
            event: string;
            /**
             * @description The notice in words.
             * @example 🦊 joined
             */
            message: string;
            /**
             * Format: int64
             * @description Its place in the group's log.
             */
            seq: number;
            /** @description `hh:mm:ss.fff`, UTC, by the server's clock. */
            time: string;
        };
        /** @description The owner has closed the conversation: it can be read, and nothing more can be said. */
        OpenFrame: {
            /**
             * @description Always `event.open`.
             * @example event.open
             */
            event: string;
            /** @description Always `false`. */
            open: boolean;
            /**
             * Format: int64
             * @description The number of this change.
             */
            seq: number;
        };
        /** @description What a sealed message says. */
        OpenedLine: {
            /**
             * Format: int64
             * @description The message's `seq`; 0 is the note.
             */
            seq: number;
            /** @example what somebody said */
            words: string;
        };
        /** @description An answer with nothing but a message. */
        Outcome: {
            code?: components["schemas"]["Code"];
            /** @description A sentence to show to the user. */
            message: string;
            /**
             * Format: int32
             * @description Equal to the HTTP status.
             * @example 200
             */
            status: number;
        };
        /** @description One of the owner's conversations has changed. */
        OwnConversationFrame: {
            /** @description The conversation as the list has it. It is left out once the conversation has ended. */
            data?: components["schemas"]["ConversationItem"];
            /**
             * @description Always `event.conversation`.
             * @example event.conversation
             */
            event: string;
            /** @description The conversation's id. */
            id: string;
        };
        /** @description One of the owner's groups has changed. It comes at most once a second for each group, with the newest numbers. */
        OwnRoomFrame: {
            /**
             * @description Always `event.room`.
             * @example event.room
             */
            event: string;
            /**
             * Format: uuid
             * @description The group's id.
             */
            id: string;
            /** @description Who and what is in the group now. It is left out once the group has ended. */
            standing?: components["schemas"]["RoomStanding"];
        };
        /** @description What the operator adds to a page. */
        OwnWordsOfPage: {
            /** @description Headings and paragraphs, in their order. */
            data: components["schemas"]["Block"][];
            /**
             * Format: int32
             * @description Equal to the HTTP status.
             * @example 200
             */
            status: number;
        };
        /** @description What somebody has set up of their personal page. */
        PageItem: {
            /**
             * @description A line about themselves; may be empty.
             * @example I play the cello.
             */
            line: string;
            /** @description Whether notes are only for their owner unless the sender says otherwise. */
            only_for_you: boolean;
            /** @description Questions that they would like to be asked, at most three. */
            prompts: string[];
        };
        /** @description The caller's personal page. */
        PageShown: components["schemas"]["PageItem"] & {
            /**
             * Format: int32
             * @description Equal to the HTTP status.
             * @example 200
             */
            status: number;
        };
        /** @description Some words of a paragraph. */
        Part: {
            /**
             * @description Where they lead to; absent if they are no link.
             * @example https://choir.example/statutes
             */
            href?: string | null;
            /**
             * @description The words.
             * @example our statutes
             */
            text: string;
        };
        /** @description The answer when a new password is set. */
        PasswordSet: {
            /**
             * @description Send this back as `device` at the next sign-in from this browser. It
             *     gives no access.
             */
            device: string;
            /**
             * @description A sentence to show to the user.
             * @example Password Changed!
             */
            message: string;
            /**
             * Format: int32
             * @description Equal to the HTTP status.
             * @example 200
             */
            status: number;
        };
        /** @description A conversation that a browser remembers. */
        Peek: {
            /** @description The conversation's id. */
            id: string;
            /** @description The conversation's key: 32 bytes in base64url. */
            key: string;
        };
        /** @description Conversations that a browser remembers. */
        PeekForm: {
            /** @description The conversations, at most 50. */
            ids: components["schemas"]["Peek"][];
        };
        /** @description What there is to tell of a conversation. */
        PeekItem: {
            /**
             * Format: int64
             * @description The number of the owner's newest line that was not unsent; 0 if there is none.
             */
            answered: number;
            /** @description The conversation's id. */
            id: string;
            /** @description Whether something can be said in it. */
            open: boolean;
            /** @description How many of the owner's lines the sender has not seen. */
            unread: number;
        };
        /** @description What there is to tell of remembered conversations. */
        PeekList: {
            /** @description Those that are there, in the order in which they were asked for. */
            data: components["schemas"]["PeekItem"][];
            /**
             * Format: int32
             * @description Equal to the HTTP status.
             * @example 200
             */
            status: number;
        };
        /** @description What is answered to a note, for everybody to read. */
        PublishAnswer: {
            /**
             * @description The text.
             * @example On Friday, at the harbour.
             */
            answer: string;
            /**
             * @description The words of the note, as the caller's browser has opened them. They are needed if it is sealed, and not published
             *     if it isn't.
             */
            note?: string | null;
        };
        /** @description Which browsers are told. */
        PushData: {
            /** @description The key that a browser binds its subscription to, in base64url; null if this server tells nobody. */
            key?: string | null;
            /** @description At most ten, the oldest first. */
            subscriptions: components["schemas"]["SubscriptionItem"][];
        };
        /** @description What it takes to encrypt for a browser. */
        PushKeys: {
            /** @description Its secret of 16 bytes, in base64url. */
            auth: string;
            /** @description Its public key, an uncompressed point of P-256, in base64url. */
            p256dh: string;
        };
        /** @description The subscriptions of the caller. */
        PushShown: {
            data: components["schemas"]["PushData"];
            /**
             * Format: int32
             * @description Equal to the HTTP status.
             * @example 200
             */
            status: number;
        };
        /**
         * @description When nothing is sent: minutes of a day, UTC, from one to before the other. If it ends before it begins, it goes over
         *     midnight.
         */
        QuietHours: {
            /**
             * Format: int32
             * @example 1320
             */
            from: number;
            /**
             * Format: int32
             * @example 420
             */
            to: number;
        };
        /** @description The quoted message: its sender, its text (or `Photo`), its `seq`, and its picture's path or an empty string. */
        Quote: (string | number)[];
        /** @description A line that another one answers. */
        QuotedLine: {
            /** @description Who said it. */
            from: components["schemas"]["SideName"];
            /** @description The text; empty if it was unsent. */
            message: string;
            /**
             * Format: int64
             * @description Its `seq`.
             */
            seq: number;
        };
        /**
         * @description The reactions to a message have changed. `sender`, `emoji` and `on` are absent if the frame
         *     stands for more than one change: to members who were away, and when a member is removed.
         */
        ReactFrame: {
            /**
             * @description The reaction.
             * @example 👍
             */
            emoji?: string | null;
            /**
             * @description Always `event.react`.
             * @example event.react
             */
            event: string;
            /**
             * Format: int64
             * @description The message's place in the group's log.
             */
            message: number;
            /** @description Whether the reaction is there now. */
            on?: boolean | null;
            /** @description All reactions to the message that are there now. */
            reactions: components["schemas"]["Reactions"][];
            /**
             * @description The member who reacted, or took a reaction back.
             * @example 🦊
             */
            sender?: string | null;
            /**
             * Format: int64
             * @description The place of the last change in the group's log.
             */
            seq: number;
        };
        /** @description The reactions to a line have changed. */
        ReactedFrame: {
            /**
             * @description Always `event.react`.
             * @example event.react
             */
            event: string;
            /**
             * Format: int64
             * @description The line's `seq`.
             */
            line: number;
            /** @description All reactions to it that are there now. */
            reactions: components["schemas"]["LineReactions"][];
            /**
             * Format: int64
             * @description The number of this change.
             */
            seq: number;
        };
        /** @description The reactions to a message with one emoji. */
        Reactions: {
            /** @description How many there are. */
            count: number;
            /** @example 👍 */
            emoji: string;
            /**
             * @description Whose they are, in the order in which they came.
             * @example [
             *       "🦊"
             *     ]
             */
            from: string[];
        };
        /** @description From here on the server sends every change. Load the lists now. */
        ReadyFrame: {
            /**
             * @description Always `event.ready`.
             * @example event.ready
             */
            event: string;
        };
        /** @description What a personal page shows. */
        Recipient: components["schemas"]["PageItem"] & {
            /** @description Whether there are public answers: `GET /api/annon/{username}/answers` lists them. */
            answers: boolean;
            /**
             * Format: uuid
             * @description The id for `POST /api/annon-message`. It reveals nothing about the
             *     account.
             */
            message: string;
            /** @description Whether the owner takes no notes now. */
            paused?: boolean;
            /** @description With what notes are sealed; absent if they aren't. */
            seal?: components["schemas"]["SealItem"];
            shield?: components["schemas"]["Asked"] | null;
            /**
             * Format: int32
             * @description Equal to the HTTP status.
             * @example 200
             */
            status: number;
        };
        /** @description Why a call failed. */
        Refusal: {
            code: components["schemas"]["Code"];
            /**
             * @description With `fields_invalid`, where a body is JSON: the field that is missing or of another kind.
             * @example message
             */
            field?: string;
            /** @description A sentence to show to the user. */
            message: string;
            shield?: components["schemas"]["Asked"] | null;
            /**
             * Format: int32
             * @description Equal to the HTTP status.
             * @example 404
             */
            status: number;
            /**
             * Format: int64
             * @description With 429: how many seconds to wait before the next try.
             * @example 30
             */
            wait_seconds?: number | null;
        };
        /** @description A frame of the client was refused. */
        RefusedFrame: {
            code: components["schemas"]["Code"];
            /**
             * @description Always `event.error`.
             * @example event.error
             */
            event: string;
            /** @description The id of the refused message, if it had one. */
            id?: string | null;
            /** @description A sentence to show to the user. */
            message: string;
        };
        /** @description A sign-up form. */
        Register: {
            /**
             * Format: email
             * @description The address that password reset links are mailed to.
             * @example some@body.example
             */
            email: string;
            /**
             * @description On a server where only the invited can sign up: what follows `#i=` in the
             *     link of the invitation. Other servers pass it over.
             */
            invitation?: string | null;
            /** @description That the caller is as old as this server's operator asks for. Other servers pass it over. */
            old_enough?: boolean;
            /**
             * @description The password.
             * @example correct horse
             */
            password: string;
            /**
             * @description Letters, digits, `-` and `_`; white space becomes `-`.
             * @example some-body
             */
            username: string;
        };
        /**
         * @description What a report is about.
         * @enum {string}
         */
        ReportAbout: "note" | "conversation" | "room" | "page";
        /** @description A report was stored. */
        ReportSent: {
            /** @description A sentence to show to the user. */
            message: string;
            /**
             * @description By this number one can ask how the report stands, until it is gone.
             * @example 0123-4567-89ab-cdef-0123-4567-89ab-cdef
             */
            receipt: string;
            /**
             * Format: int32
             * @description Equal to the HTTP status.
             * @example 201
             */
            status: number;
        };
        /** @description A new password, and the token of the reset link. */
        ResetConfirm: {
            /**
             * @description The new password.
             * @example battery staple
             */
            new_password: string;
            /** @description The part of the mailed link after `/reset/`. */
            token: string;
        };
        /** @description A form to ask for a reset link. */
        ResetRequest: {
            /**
             * Format: email
             * @description The account's address.
             * @example some@body.example
             */
            email: string;
        };
        /** @description A group, as the caller may see it. */
        RoomData: {
            /** @description Whether newcomers have to knock; always `false` without a seat. */
            ask_first: boolean;
            /** @description The creator's username. */
            creator: string;
            /** @description When the group was created: `YYYY-MM-DD HH:MM:SS`, UTC. */
            date: string;
            /**
             * Format: int64
             * @description When the group expires, in seconds since 1970, UTC.
             */
            expire_at: number;
            /** @description Whether there are messages older than the first one here. */
            has_older: boolean;
            /**
             * Format: uuid
             * @description The group's id; without a seat, what stands in its link.
             */
            id: string;
            /**
             * Format: int64
             * @description The last `seq` in the group's log, for `since` in `event.connect`; 0
             *     without a seat.
             */
            last_seq: number;
            /**
             * Format: uuid
             * @description What stands in the group's link now: its id, until it gets a new link.
             */
            link: string;
            /** @description Whether the group is locked; always `false` without a seat. */
            locked: boolean;
            /** @description The members' emoji; empty without a seat. */
            members: string[];
            /**
             * Format: int64
             * @description How many messages were ever sent; 0 without a seat.
             */
            message_count: number;
            /** @description Messages and notices, oldest first; empty without a seat. */
            messages: components["schemas"]["LineFrame"][];
            /** @description The group's name. */
            name: string;
            sealed?: components["schemas"]["SealedHead"] | null;
        };
        /** @description What changes for people who come to a group. What is left out stays. */
        RoomDoor: {
            /** @description Whether newcomers have to knock. When this is switched off, everybody who waits is admitted. */
            ask_first?: boolean | null;
            /** @description Whether new members are kept out. */
            locked?: boolean | null;
        };
        /** @description A group in a list. */
        RoomItem: {
            /**
             * @description When the group was created: `YYYY-MM-DD HH:MM:SS`, UTC.
             * @example 2026-11-20 18:05:59
             */
            date: string;
            /**
             * Format: uuid
             * @description The group's id.
             */
            id: string;
            /**
             * Format: uuid
             * @description What stands in the group's link now: its id, until it gets a new link.
             */
            link: string;
            /**
             * @description The group's name.
             * @example midnight tacos
             */
            name: string;
            sealed?: components["schemas"]["SealedHead"] | null;
            /**
             * Format: int64
             * @description How many seconds are left until the group expires. It is no point in time, since clocks of devices can be hours off.
             * @example 82800
             */
            seconds_left: number;
            standing?: components["schemas"]["RoomStanding"] | null;
        };
        /** @description The caller's groups. */
        RoomList: {
            /** @description The groups that are active, newest first. */
            data: components["schemas"]["RoomItem"][];
            /**
             * Format: int32
             * @description Equal to the HTTP status.
             * @example 200
             */
            status: number;
        };
        /** @description From here on the client gets everything as it happens. */
        RoomReadyFrame: {
            /**
             * @description Always `event.ready`.
             * @example event.ready
             */
            event: string;
            /**
             * Format: int64
             * @description The last `seq` in the group's log, or in the conversation.
             */
            last_seq: number;
            /**
             * @description Whether everything after `since` was sent. If not, load the group or the conversation
             *     again.
             */
            resumed: boolean;
        };
        /** @description The answer to showing a group. */
        RoomShown: {
            /** @description The group. */
            data: components["schemas"]["RoomData"];
            /**
             * Format: int32
             * @description Equal to the HTTP status.
             * @example 200
             */
            status: number;
        };
        /** @description Who and what is in a group: only numbers, so that nothing tells which seat is the creator's. */
        RoomStanding: {
            /**
             * @description How many members are connected.
             * @example 2
             */
            active: number;
            /** @description Whether newcomers have to knock; absent if not. */
            asks_first?: boolean;
            /**
             * Format: int64
             * @description How many messages were ever sent.
             * @example 61
             */
            message_count: number;
            /**
             * @description How many seats are taken.
             * @example 4
             */
            seats: number;
        };
        /** @description Somebody has said something. */
        SaidFrame: components["schemas"]["LineItem"] & {
            /**
             * @description Always `event.line`.
             * @example event.line
             */
            event: string;
            /** @description When the conversation ends now if nothing more is said. */
            expires: string;
        };
        /** @description Something to say. */
        SayLine: {
            /**
             * @description The line's id: 15 letters and digits of the caller's choice. A line that is sent twice
             *     with one id is said once.
             * @example abcDEF123456789
             */
            id: string;
            /**
             * @description The text. With `sealed`: the sealed line in base64url.
             * @example Thank you. Who are you?
             */
            message: string;
            /**
             * Format: int64
             * @description The `seq` of the line that it answers.
             */
            reply?: number | null;
            /** @description Whether it is sealed, as every line is of a conversation that began with a sealed note, and no other one. */
            sealed?: boolean;
        };
        /** @description The seal of the caller's inbox. */
        SealData: components["schemas"]["SealItem"] & {
            /** @description Whether notes are sealed now. If not, the key opens older ones. */
            on: boolean;
            /** @description The private key, as the caller's browser has wrapped it with the recovery code, in base64url. */
            wrapped: string;
        };
        /** @description A key for an inbox. */
        SealInbox: {
            /** @description The public key, an uncompressed point of P-256: 65 bytes in base64url. */
            key: string;
            /** @description Whether notes are taken, too, that their senders can't seal. */
            open_notes: boolean;
            /** @description The private key, wrapped by the caller's browser, in base64url: at most 512 bytes. */
            wrapped: string;
        };
        /** @description With what notes to an inbox are sealed. */
        SealItem: {
            /** @description The public key, an uncompressed point of P-256: 65 bytes in base64url. */
            key: string;
            /** @description Whether the inbox takes notes, too, that their senders can't seal. */
            open_notes: boolean;
        };
        /** @description How the caller's inbox is sealed. */
        SealShown: {
            data?: components["schemas"]["SealData"] | null;
            /**
             * Format: int32
             * @description Equal to the HTTP status.
             * @example 200
             */
            status: number;
        };
        /** @description What only browsers with the key of a sealed group can read, and by what they tell that key. */
        SealedHead: {
            /**
             * @description Eight bytes in base64url that follow from the key.
             * @example 3q2-78r-ur4
             */
            check: string;
            /** @description The group's name, sealed, in base64url. */
            name: string;
        };
        /** @description The caller's seat, and the group. */
        Seated: {
            /** @description The group. */
            data: components["schemas"]["RoomData"];
            /**
             * @description The caller's emoji in the group.
             * @example 🦊
             */
            emoji: string;
            /**
             * Format: int32
             * @description Equal to the HTTP status.
             * @example 200
             */
            status: number;
        };
        /** @description One side has seen what the other has said. */
        SeenFrame: {
            /**
             * @description Always `event.seen`.
             * @example event.seen
             */
            event: string;
            /** @description Who has seen it. */
            from: components["schemas"]["SideName"];
            /**
             * Format: int64
             * @description The number of this change.
             */
            seq: number;
            /**
             * Format: int64
             * @description They have seen all lines of the other side up to the one with this `seq`.
             */
            upto: number;
        };
        /** @description An anonymous note. */
        SendNote: {
            conversation?: components["schemas"]["BeginConversation"] | null;
            /**
             * Format: uuid
             * @description The id from `GET /api/annon/{username}`.
             */
            id: string;
            /**
             * @description The text. With `sealed_for`: the sealed note in base64url; if it begins a conversation, followed by a dot and
             *     the same words, sealed as a line.
             * @example You were great on stage yesterday.
             */
            message: string;
            /**
             * Format: uuid
             * @description An id of the sender's choice. A note that is sent again with it, to the same person, in the same words and with
             *     the same conversation, within a day is the same note, and is answered with 201; one that is sealed whatever its
             *     words. Only a hash of these is kept, for two days at most.
             */
            note_id?: string | null;
            /**
             * @description Whether the owner must not publish the note. If it is left out, that is as
             *     `only_for_you` of `GET /api/annon/{username}` says.
             */
            only_for_you?: boolean | null;
            /** @description The fingerprint of the key that the note is sealed with: the first 10 bytes of its SHA-256, in base64url. */
            sealed_for?: string | null;
            /**
             * @description By which its sender can be blocked: HMAC-SHA256 of this id under a secret of the sender's own, its first 16
             *     bytes in base64url. It is kept for 7 days at most, hashed with a key of the inbox.
             */
            tag?: string | null;
            work?: components["schemas"]["Work"] | null;
        };
        /** @description A report to the operator. */
        SendReport: {
            about: components["schemas"]["ReportAbout"];
            /**
             * @description The id of the note, conversation or group. For a page, its path: somebody's personal
             *     page, an answer on it, or a group's.
             * @example /some-body
             */
            id: string;
            /**
             * @description The `seq` of each message to show: at least one of a group, none or more of a
             *     conversation.
             */
            lines?: number[];
            /**
             * @description Of what is sealed: what messages, lines or the note say, as the caller's browser has opened them. The server can't
             *     read them, so the operator is told that nobody has checked it.
             */
            opened?: components["schemas"]["OpenedLine"][];
            /**
             * @description What the caller adds. About a page it has to be at least 10 characters.
             * @example This is about a friend of mine, and it isn't true.
             */
            words?: string;
        };
        /** @description A sign-in, as the account's owner sees it. */
        Session: {
            /**
             * @description The day on which it began: `YYYY-MM-DD`, UTC.
             * @example 2026-12-20
             */
            began: string;
            /**
             * @description The browser, if it was recognized.
             * @example Firefox
             */
            browser: string | null;
            /** @description Whether it is the caller's own. */
            current: boolean;
            /** Format: uuid */
            id: string;
            /** @description Whether it can still be used. */
            open: boolean;
            /**
             * @description What it runs on, if that was recognized.
             * @example Android
             */
            system: string | null;
            /** @description Whether the account didn't know the browser, and no one has said yet that they do. */
            unknown: boolean;
            /**
             * @description The day on which it was last used.
             * @example 2026-12-20
             */
            used: string;
        };
        /** @description The answer with sign-ins. */
        SessionList: {
            /** @description The newest first. One that has ended is there while it is `unknown`. */
            data: components["schemas"]["Session"][];
            /**
             * Format: int32
             * @description Equal to the HTTP status.
             * @example 200
             */
            status: number;
        };
        /** @description Whether a digest is wanted. */
        SetDigest: {
            on: boolean;
        };
        /** @description New settings of the inbox, at least one. What is left out stays as it is. */
        SetInbox: {
            /**
             * @description Whether notes are delivered in batches. `false` also delivers the notes
             *     that wait.
             */
            batches?: boolean | null;
            /** @description Words and phrases for which notes are held back, all of them. */
            held_words?: string[] | null;
            /** @description Whether no notes are taken. */
            paused?: boolean | null;
            /** @enum {string|null} */
            shield?: "off" | "auto" | "always" | null;
        };
        /** @description Changes of a personal page. What is left out stays as it is. */
        SetPage: {
            /** @description A line about the owner; an empty one takes it away. */
            line?: string | null;
            /** @description Whether notes are only for the owner unless a sender says otherwise. */
            only_for_you?: boolean | null;
            /** @description At most three questions of at most 80 characters. They take the place of those there were. */
            prompts?: string[] | null;
        };
        /** @description When nothing is to be sent, in the same way. */
        SetQuietHours: {
            /**
             * Format: int32
             * @example 1320
             */
            from: number;
            /**
             * Format: int32
             * @example 420
             */
            to: number;
        };
        /** @description A change of a seal. What is left out stays as it is. */
        SetSeal: {
            /** @description Whether notes are sealed from now on. */
            on?: boolean | null;
            /** @description Whether notes are taken, too, that their senders can't seal. */
            open_notes?: boolean | null;
        };
        /** @description The number of a report. */
        ShowReceipt: {
            /**
             * @description As the answer to the report had it.
             * @example 0123-4567-89ab-cdef-0123-4567-89ab-cdef
             */
            receipt: string;
        };
        /** @description A note that was held back, as the inbox has it now. */
        Shown: {
            data?: components["schemas"]["NoteItem"] | null;
            /**
             * Format: int32
             * @description Equal to the HTTP status.
             * @example 200
             */
            status: number;
        };
        /**
         * @description Who of the two.
         * @enum {string}
         */
        SideName: "owner" | "sender";
        /** @description The answer to a sign-up. */
        SignedUp: {
            /**
             * @description `true` if the address has to be confirmed with a mailed link, otherwise
             *     absent. Until then only the username signs in, not the address.
             */
            confirm_by_mail?: boolean | null;
            /**
             * @description A sentence to show to the user.
             * @example User Account Created
             */
            message: string;
            /**
             * Format: int32
             * @description Equal to the HTTP status.
             * @example 201
             */
            status: number;
        };
        /** @description How a report stands. */
        Standing: {
            /** @description Whether the people who run the site have looked at it or closed it. */
            state: components["schemas"]["StateName"];
            /**
             * Format: int32
             * @description Equal to the HTTP status.
             * @example 200
             */
            status: number;
        };
        /** @enum {string} */
        StateName: "waits" | "looked_at" | "closed";
        /** @description A subscription, as a browser's `PushSubscription` has it. */
        Subscribe: {
            /**
             * @description Its address at a push service.
             * @example https://fcm.googleapis.com/fcm/send/dGVzdA
             */
            endpoint: string;
            keys: components["schemas"]["PushKeys"];
            /** @description What it is told of. */
            kinds: ("note" | "answer" | "knock" | "group")[];
            /**
             * @description In which language.
             * @example en
             * @enum {string}
             */
            language: "en" | "de";
            quiet?: components["schemas"]["SetQuietHours"] | null;
        };
        /**
         * @description A subscription of somebody without an account: of the sender of a conversation, who is told of answers, or of whoever
         *     has a seat in a group, who is told that it is talking.
         */
        SubscribeHere: {
            /**
             * @description Its address at a push service.
             * @example https://fcm.googleapis.com/fcm/send/dGVzdA
             */
            endpoint: string;
            keys: components["schemas"]["PushKeys"];
            /**
             * @description In which language.
             * @example en
             * @enum {string}
             */
            language: "en" | "de";
            quiet?: components["schemas"]["SetQuietHours"] | null;
        };
        /** @description A browser is told from now on. */
        Subscribed: {
            data: components["schemas"]["SubscribedData"];
            /**
             * Format: int32
             * @description Equal to the HTTP status.
             * @example 200
             */
            status: number;
        };
        /** @description Which subscription it is. */
        SubscribedData: {
            /** @example AAAAAAAAehwAAAAAAAAAAQ */
            id: string;
        };
        /** @description A browser that is told. */
        SubscriptionItem: {
            /**
             * @description The day on which it was added, UTC.
             * @example 2026-11-30
             */
            added: string;
            /**
             * @description The first 16 bytes of the SHA-256 of its address, in base64url: by that a browser finds its own.
             * @example AAAAAAAAehwAAAAAAAAAAQ
             */
            id: string;
            /** @description What it is told of. */
            kinds: ("note" | "answer" | "knock" | "group")[];
            quiet?: components["schemas"]["QuietHours"] | null;
        };
        /** @description A suspension, as the account's owner sees it. */
        Suspended: {
            /**
             * @description Why, in the operator's words.
             * @example Threats in several notes.
             */
            reason: string;
            /**
             * @description When it ends: `YYYY-MM-DD HH:MM:SS`, UTC.
             * @example 2026-12-20 18:05:09
             */
            until: string;
        };
        /** @description The id that notes to a user are sent to. */
        Target: {
            /**
             * Format: uuid
             * @description The id for `POST /api/annon-message`. It reveals nothing about the
             *     account.
             */
            message: string;
            /**
             * Format: int32
             * @description Equal to the HTTP status.
             * @example 200
             */
            status: number;
        };
        /** @description A member is typing. */
        TypingFrame: {
            /**
             * @description Always `event.typing`.
             * @example event.typing
             */
            event: string;
            /** @description The member's emoji. */
            sender: string;
        };
        /** @description The answer to a change of the inbox. */
        Unread: {
            /**
             * Format: int32
             * @description The number of unread notes in the whole inbox.
             * @example 2
             */
            message: number;
            /**
             * Format: int32
             * @description Equal to the HTTP status.
             * @example 200
             */
            status: number;
        };
        /** @description A message was unsent or removed. */
        UnsendFrame: {
            /**
             * @description Always `event.unsend`.
             * @example event.unsend
             */
            event: string;
            /**
             * @description The id that its sender gave the message. Two senders may use the same id,
             *     so find the message by `message_seq`.
             */
            id: string;
            /**
             * Format: int64
             * @description The message's place in the group's log.
             */
            message_seq: number;
            /**
             * Format: int64
             * @description The place of this frame in the group's log.
             */
            seq: number;
        };
        /** @description A picture to upload. */
        Upload: {
            /** @description The file in base64, or as a data URL; in a sealed group what the browser has sealed, in base64url. */
            image_b64: string;
            /**
             * Format: uuid
             * @description In a sealed group: the picture's id, to which it is sealed. The browser has drawn it.
             */
            image_id?: string | null;
            /**
             * Format: uuid
             * @description The id of the group the picture is for.
             */
            room_id: string;
        };
        /** @description The answer to an upload. */
        Uploaded: {
            /**
             * @description The picture's path, for `image_src` or `image_low` of a message.
             * @example /api/room/5f2c…/image/91ab…
             */
            message: string;
            /**
             * Format: int32
             * @description Equal to the HTTP status.
             * @example 201
             */
            status: number;
        };
        /** @description An account, as its owner sees it. */
        User: {
            /**
             * @description The email address.
             * @example some@body.example
             */
            email: string;
            /** @description `false` until the mailed confirmation link is used, then absent. */
            email_confirmed?: boolean | null;
            suspended?: components["schemas"]["Suspended"] | null;
            /** @description How many other sign-ins are `unknown`, if any are: `GET /api/sessions` has them. */
            unknown_sign_ins?: number | null;
            /**
             * @description The name in the personal link.
             * @example some-body
             */
            username: string;
        };
        /** @description Somebody waits to be let in. */
        WaitingKnock: {
            /**
             * @description The emoji that the visitor is shown, and gets when they come in.
             * @example 🦊
             */
            emoji: string;
            /**
             * @description The knock, for the answer.
             * @example 5f0c1e9ab7d24c1f8e3a6b9d0c7f2a41
             */
            knock: string;
            /**
             * Format: int64
             * @description How many seconds are left until the visitor no longer waits.
             * @example 580
             */
            seconds_left: number;
        };
        /** @description A file of the web app. */
        WebFile: {
            /**
             * @description Its path below the site's address.
             * @example assets/core-DHP-HKD7.js
             */
            path: string;
            /** @description The SHA-256 of its bytes before they are compressed, in hexadecimal digits. */
            sha256: string;
        };
        /** @description The files of the web app, as they are in this server's binary. */
        WebHash: {
            /** @description The SHA-256 of the list: of each file its digest, two spaces, its path and a line break. */
            digest: string;
            /** @description In the order of their paths. */
            files: components["schemas"]["WebFile"][];
            /**
             * Format: int32
             * @description Equal to the HTTP status.
             * @example 200
             */
            status: number;
            /** @description The version of the server. */
            version: string;
        };
        /** @description Work that was done. */
        Work: {
            /** @description 8 bytes in base64url. */
            nonce: string;
            /** @description The seed that was given for this inbox and this tag. */
            seed: string;
        };
        /** @description One side is writing something. It is said at most every two seconds, and kept nowhere. */
        WritingFrame: {
            /**
             * @description Always `event.typing`.
             * @example event.typing
             */
            event: string;
            /** @description Who is writing: the other side. */
            from: components["schemas"]["SideName"];
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export type operations = Record<string, never>;
